// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.Locale;

/**
 * A call that a {@link SimulatedDisk} is about to carry out.
 *
 * @param operation the operation
 * @param file the name of the file
 * @param position where the transfer begins, in bytes from the start of the file; for a truncation the new length
 * @param bytes the number of bytes to transfer; 0 for a truncation and a force
 * @param isExtending whether it is a write that ends behind the end of the file
 */
public record DiskCall(Operation operation, String file, long position, int bytes, boolean isExtending) {
    /** The operations that can be slow or fail. */
    public enum Operation {
        /** Reads bytes. */
        READ,
        /** Writes bytes. */
        WRITE,
        /** Truncates a file. */
        TRUNCATE,
        /** Brings the writes of a file to the device. */
        FORCE
    }

    boolean touches(long offset) {
        return position <= offset && offset < position + bytes;
    }

    /** For messages and for the history of the disk. */
    @Override
    public String toString() {
        String name = operation.name().toLowerCase(Locale.ROOT);
        return switch (operation) {
            case READ, WRITE -> name + " of " + bytes + " bytes at " + position + " of " + file;
            case TRUNCATE -> name + " of " + file + " to " + position + " bytes";
            case FORCE -> name + " of " + file;
        };
    }
}
