// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** Pages in frames: page-in, and invalidation. */
package io.clockhand.internal.page;
