// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Pages in frames: hits, page-in and invalidation. Undo after a failure has the form that {@link
 * io.clockhand.internal.frame} describes.
 */
package io.clockhand.internal.page;
