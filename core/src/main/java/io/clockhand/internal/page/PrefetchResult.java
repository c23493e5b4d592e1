// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

/** The outcome of the prefetch of one page. */
public enum PrefetchResult {
    /** It read the page. */
    READ,
    /** It found the page resident, or being loaded. */
    ALREADY_RESIDENT,
    /** There is no frame for the page at the moment. */
    NO_FRAME
}
