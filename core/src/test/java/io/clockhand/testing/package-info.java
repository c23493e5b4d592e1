// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** Threads and gates for deterministic tests of concurrent code. */
package io.clockhand.testing;
