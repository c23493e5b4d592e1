// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/** Keeps the exported package from being empty until its first class moves in; delete it then. */
final class Placeholder {
    private Placeholder() {}
}
