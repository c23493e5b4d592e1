// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.page.BufferPool;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of the library for Java 22 and later, in JVMs of their own: a JVM looks for it in a jar only, and tests run
 * on folders.
 */
public final class NativeAccess {
    private NativeAccess() {}

    /** Skips the test where there is no native memory with huge pages advised. */
    public static void assumePossible() {
        assumeTrue(Runtime.version().feature() >= 22, "the foreign function interface needs Java 22");
        assumeTrue(System.getProperty("os.name").equals("Linux"), "huge pages are advised on Linux only");
    }

    /** {@return the folder with the classes for Java 22; skips the test if the library was compiled on an older JDK} */
    public static Path classes() {
        assumePossible();
        Path classes = ChildJvm.locationOf(BufferPool.class).resolve(Path.of("META-INF", "versions", "22"));
        assumeTrue(Files.isDirectory(classes), "the library was compiled on a JDK before 22");
        return classes;
    }

    /** {@return the class path of the tests, on which the classes for Java 22 hide those for Java 17} */
    public static String classPath() {
        return classes() + File.pathSeparator + System.getProperty("java.class.path");
    }
}
