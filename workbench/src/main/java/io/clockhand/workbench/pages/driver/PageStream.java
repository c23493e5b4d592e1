// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

/** The pages that one thread refers to, one after the other; goes on for ever. Not thread-safe. */
public interface PageStream {
    /** The page of the next reference, from 0; or its complement, {@code ~page}, which is negative, of a write. */
    long next();
}
