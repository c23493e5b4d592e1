// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** Where pages lie when they are not in memory. Knows page numbers and bytes, and nothing of frames or policies. */
package io.clockhand.io;
