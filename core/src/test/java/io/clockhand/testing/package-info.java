// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** Threads and gates for deterministic tests of concurrent code, and what the machine can do. */
package io.clockhand.testing;
