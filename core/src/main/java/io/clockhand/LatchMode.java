// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * How a page is latched while it is fixed. Latches protect bytes for a short time; they are not the locks of
 * transactions.
 */
public enum LatchMode {
    /** For reading, concurrently with other readers and one thread in upgradable mode. */
    SHARED("to read"),
    /** For updates of rows, concurrently with readers and with other threads that update rows. */
    SHARED_UPDATE("to update rows"),
    /** For reading concurrently with readers, with the right to upgrade; one thread at a time. */
    UPGRADABLE("to upgrade"),
    /** For writing, without any other reader or writer. */
    EXCLUSIVE("to write");

    private final String words;

    LatchMode(String words) {
        this.words = words;
    }

    /** {@return the mode as messages have it: such as "to read"} */
    public String words() {
        return words;
    }
}
