// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * Reads a page, and makes something of it; see {@link OptimisticPage#read(long, PageFunction)}.
 *
 * @param <R> the result
 * @param <E> what it throws
 */
@FunctionalInterface
public interface PageFunction<R, E extends Exception> {
    /**
     * Reads a page.
     *
     * @param page the page, for the time of the call
     * @return the result, which must not refer to the page
     * @throws E if the page is not what it should be
     */
    R apply(PageView page) throws E;
}
