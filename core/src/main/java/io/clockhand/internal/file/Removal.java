// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

/** How a file is removed from a pool. */
public enum Removal {
    /** Its bytes stay. */
    CLOSE("closed"),
    /** It is deleted. */
    DROP("dropped");

    private final String words;

    Removal(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
