// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs {@link Probe} in a JVM of its own on the packaged jars. */
final class ProbeJvm {
    private static final Path FOLDER = Path.of("target", "probe").toAbsolutePath();

    private final List<String> command = new ArrayList<>();
    private String properties = "";

    private ProbeJvm() {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }

    /** The output of the probe, and Derby's log. */
    record Answer(String output, String log) {}

    static ProbeJvm onClassPath(List<Path> classPath) {
        ProbeJvm jvm = new ProbeJvm();
        jvm.command.addAll(List.of("-cp", join(classPath) + File.pathSeparator + testClasses()));
        return jvm;
    }

    /** The probe itself and what else is named are on the class path still. */
    static ProbeJvm onModulePath(List<Path> modulePath, List<String> flags, Path... classPath) {
        ProbeJvm jvm = new ProbeJvm();
        List<Path> all = new ArrayList<>(List.of(classPath));
        all.add(testClasses());
        jvm.command.addAll(List.of("--module-path", join(modulePath), "-cp", join(all)));
        jvm.command.addAll(flags);
        return jvm;
    }

    /** Activates Clockhand by the line in {@code derby.properties}. */
    ProbeJvm activatedByProperty() {
        properties = "derby.module.clockhand=io.clockhand.derby.ClockhandCacheFactory\n";
        return this;
    }

    Answer ask() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path home = Files.createTempDirectory(FOLDER, "home");
        Files.writeString(home.resolve("derby.properties"), properties);
        Path output = home.resolve("output");
        List<String> all = new ArrayList<>(command);
        all.add(Probe.class.getName());
        Process process = new ProcessBuilder(all)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        Path log = home.resolve("derby.log");
        return new Answer(
                Files.readString(output, StandardCharsets.UTF_8), Files.exists(log) ? Files.readString(log) : "");
    }

    // --- the jars ----------------------------------------------------------------------------------------------------

    /** {@return one of this module's jars; "" is the plain one} */
    static Path jar(String classifier) {
        Path jar = Path.of(System.getProperty("clockhand.test.jars") + classifier + ".jar");
        assertThat(jar).exists();
        return jar;
    }

    /** {@return the plain jar with what it depends on} */
    static List<Path> plainJars() {
        return List.of(jar(""), ofTests("clockhand-core-"), ofTests("jctools-core-"));
    }

    /** {@return the version that the adapter is compiled with} */
    static String mainDerby() {
        return System.getProperty("clockhand.test.derby");
    }

    /** {@return Derby's versions that run on this JVM, the oldest first} */
    static List<String> derbyVersions() {
        List<String> versions = new ArrayList<>(
                List.of(System.getProperty("clockhand.test.derby.oldest"), System.getProperty("clockhand.test.derby")));
        if (Runtime.version().feature() >= 21) {
            versions.add(System.getProperty("clockhand.test.derby.newest"));
        }
        return versions;
    }

    static List<Path> derbyJars(String version) {
        List<Path> jars = new ArrayList<>();
        for (String name : List.of("derby-", "derbyshared-", "derbytools-")) {
            boolean ours = version.equals(System.getProperty("clockhand.test.derby"));
            jars.add(
                    ours
                            ? ofTests(name)
                            : Path.of("target", "lib", "derby-" + version, name + version + ".jar")
                                    .toAbsolutePath());
        }
        assertThat(jars).allSatisfy(jar -> assertThat(jar).isRegularFile());
        return jars;
    }

    private static Path ofTests(String prefix) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(path -> path.getFileName().toString().startsWith(prefix))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no jar " + prefix + " on the class path"));
    }

    private static Path testClasses() {
        return Path.of("target", "test-classes").toAbsolutePath();
    }

    private static String join(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
