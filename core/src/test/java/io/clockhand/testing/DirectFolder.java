// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The abilities of the file system of a test's files, as the JDK reports them, not the code under test. */
public final class DirectFolder {
    private DirectFolder() {}

    /**
     * Skips the test unless files of a folder can be opened for direct I/O, in pages of this size.
     *
     * @param folder the folder
     * @param pageBytes the size of a page
     * @throws IOException if the file system cannot be asked
     */
    public static void assumePagesOf(int pageBytes, Path folder) throws IOException {
        assumeTrue(
                pageBytes % Files.getFileStore(folder).getBlockSize() == 0,
                () -> "the file system of " + folder + " has larger blocks than " + pageBytes + " bytes");
        assumeTrue(hasDirect(folder), () -> "the file system of " + folder + " has no direct I/O");
    }

    /**
     * {@return whether files of a folder can be opened for direct I/O}
     *
     * @param folder the folder
     * @throws IOException if no file can be made in it
     */
    public static boolean hasDirect(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "direct", ".probe");
        try {
            OpenOption direct = (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                    .getField("DIRECT")
                    .get(null);
            FileChannel.open(probe, StandardOpenOption.READ, direct).close();
            return true;
        } catch (IOException | UnsupportedOperationException | ReflectiveOperationException e) {
            return false;
        } finally {
            Files.delete(probe);
        }
    }
}
