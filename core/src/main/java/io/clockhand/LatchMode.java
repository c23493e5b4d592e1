// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/** How a page is latched while it is fixed. Latches protect bytes for a short time; they are no locks of transactions. */
public enum LatchMode {
    /** To read, beside other readers and one thread in update mode. */
    SHARED("to read"),
    /** To read beside other readers, and perhaps to write later; one thread at a time. */
    UPDATE("for update"),
    /** Alone. */
    EXCLUSIVE("to write");

    private final String words;

    LatchMode(String words) {
        this.words = words;
    }

    /** {@return the mode as it stands in messages: "to read", "for update" or "to write"} */
    public String words() {
        return words;
    }
}
