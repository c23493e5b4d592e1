// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * Changes a page that is in an update; see {@link WritablePage#redo}.
 *
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface PageChange<E extends Exception> {
    /**
     * Makes the change.
     *
     * @param page the page, in an update; neither to be closed, nor the update to be ended
     * @throws E if the change cannot be made; then the update is undone
     */
    void apply(WritablePage page) throws E;
}
