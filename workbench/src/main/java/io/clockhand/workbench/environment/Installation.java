// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The workbench's jar, and the Derbys to choose from, in {@code lib/derby-VERSION} of its directory.
 *
 * <p>Derby is on no class path of the workbench itself: each child JVM gets the one that was chosen.
 */
public final class Installation {
    private static final String DERBY_PREFIX = "derby-";
    private static final String CLASS_OF_DERBY = "org/apache/derby/vti/VTITemplate.class";
    /** The class file version of Java N is N + 44. */
    private static final int CLASS_FILE_OFFSET = 44;

    private static final String BUILD = "; build the workbench anew with 'mvn package'";

    private final Path code;
    private final Path libraries;

    private Installation(Path code) {
        this.code = code;
        libraries = code.resolveSibling("lib");
    }

    /** The one this class was loaded from: the jar, or the build's directory of classes. */
    public static Installation here() {
        try {
            return new Installation(Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The Derbys at hand, oldest first. */
    public List<String> derbyVersions() {
        String[] names = libraries.toFile().list((directory, name) -> name.startsWith(DERBY_PREFIX));
        if (names == null || names.length == 0) {
            throw new CommandFailure("the workbench has no Derby, such as " + derbyDirectory("VERSION") + BUILD);
        }
        return Arrays.stream(names)
                .map(name -> name.substring(DERBY_PREFIX.length()))
                .sorted(Comparator.comparing(ModuleDescriptor.Version::parse))
                .toList();
    }

    /** The newest Derby that this Java can run. */
    public String newestDerby() {
        return derbyVersions().stream()
                .filter(version -> javaNeeded(version) <= Runtime.version().feature())
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> new CommandFailure("no Derby for Java "
                        + Runtime.version().feature() + " in " + derbyDirectory("VERSION") + BUILD));
    }

    /** The Java version a Derby was compiled for. */
    public int javaNeeded(String derbyVersion) {
        Path jar = derbyDirectory(derbyVersion).resolve("derby-" + derbyVersion + ".jar");
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry entry = file.getEntry(CLASS_OF_DERBY);
            if (entry == null) {
                throw new CommandFailure(jar + " holds no Derby");
            }
            try (DataInputStream bytes = new DataInputStream(file.getInputStream(entry))) {
                bytes.readInt();
                bytes.readUnsignedShort();
                return bytes.readUnsignedShort() - CLASS_FILE_OFFSET;
            }
        } catch (IOException e) {
            throw new CommandFailure("no Derby in " + jar + BUILD, e);
        }
    }

    private Path derbyDirectory(String version) {
        return libraries.resolve(DERBY_PREFIX + version);
    }

    /**
     * The class path of a child JVM with this Derby.
     *
     * @param first the entries that come first, so that their classes are loaded instead of those of the workbench
     *
     * <p>The jar's manifest names the other libraries; run from a directory of classes they are on this JVM's own
     * class path, where the build has put a Derby too, which must not get between.
     */
    public String classPath(List<String> first, String derbyVersion) {
        Stream<String> derby = Stream.of("derby", "derbyshared", "derbytools")
                .map(name -> derbyDirectory(derbyVersion)
                        .resolve(name + "-" + derbyVersion + ".jar")
                        .toString());
        return Stream.of(first.stream(), ownClassPath(), derby)
                .flatMap(entries -> entries)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The class path of a child JVM that needs no Derby. */
    public String classPath() {
        return String.join(File.pathSeparator, ownClassPath().toList());
    }

    /**
     * A file of another module.
     *
     * @param path from the directory of all modules
     */
    public Path builtFile(Path path) {
        Path module = code.toAbsolutePath().getParent().getParent();
        return module.resolveSibling(path);
    }

    private Stream<String> ownClassPath() {
        return Files.isDirectory(code)
                ? Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry -> !entry.matches(".*[/\\\\]derby(shared|tools)?-[0-9.]+\\.jar"))
                : Stream.of(code.toString());
    }
}
