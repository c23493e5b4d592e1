// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/**
 * The demands of direct I/O on the JDK and on the file system.
 *
 * <p>The JDK's option lies in the module {@code jdk.unsupported}. It is found by its name, so that an application
 * without direct I/O does not need that module.
 */
final class DirectIo {
    private static final String OPTIONS = "com.sun.nio.file.ExtendedOpenOption";

    private DirectIo() {}

    /**
     * {@return the option with which a channel is opened}
     *
     * @throws IOException if this JVM does not have it
     */
    static OpenOption option() throws IOException {
        try {
            return (OpenOption) Class.forName(OPTIONS).getField("DIRECT").get(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IOException(
                    "direct I/O needs " + OPTIONS + ", which this JVM does not have; its module jdk.unsupported is"
                            + " missing: start the JVM with --add-modules jdk.unsupported, or let your module require"
                            + " it",
                    e);
        }
    }

    /**
     * Checks that pages consist of whole blocks.
     *
     * @param file a file that exists
     * @param pageBytes the size of its pages
     * @return the size of a block of its file system in bytes, a power of two
     * @throws IOException if they do not, or the size of a block cannot be found out
     */
    static int blockBytes(Path file, int pageBytes) throws IOException {
        FileStore store = Files.getFileStore(file);
        long blockBytes;
        try {
            blockBytes = store.getBlockSize();
        } catch (UnsupportedOperationException e) {
            throw refused(file, "its file system (" + store.type() + ") does not tell the size of its blocks", e);
        }
        if (blockBytes < 1 || pageBytes % blockBytes != 0) {
            throw new IOException("the pages of " + file + " have " + pageBytes + " bytes, but the blocks of its file"
                    + " system (" + store.type() + ") have " + blockBytes + ", and direct I/O moves whole blocks: use"
                    + " pages of a multiple of " + blockBytes + " bytes, or open the file without direct I/O");
        }
        return (int) blockBytes;
    }

    /**
     * {@return a failure to be thrown}
     *
     * @param file the file that was to be opened
     * @param reason why it was not
     * @param cause where that came from
     */
    static IOException refused(Path file, String reason, Exception cause) {
        return new IOException(
                "cannot open " + file + " for direct I/O: " + reason
                        + "; open it without, or put it on a file system that can",
                cause);
    }

    /**
     * {@return a failure to be thrown}
     *
     * @param file the file that could not be opened with the option
     * @param cause the JDK's failure
     */
    static IOException refused(Path file, Exception cause) throws IOException {
        String type = Files.getFileStore(file).type();
        return refused(
                file, "its file system (" + type + ") does not seem to have it (" + cause.getMessage() + ")", cause);
    }
}
