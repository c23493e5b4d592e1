// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

/** Keeps the package from being empty (and unlintable) until its first class moves in; delete it then. */
public final class Placeholder {
    private Placeholder() {}
}
