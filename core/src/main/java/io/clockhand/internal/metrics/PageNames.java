// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

/** Names pages for events. */
public interface PageNames {
    /**
     * {@return the name of the file of a page}
     *
     * @param id the page
     */
    String file(long id);

    /**
     * {@return the number of a page in its file}
     *
     * @param id the page
     */
    long page(long id);
}
