// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import io.clockhand.testkit.PageStoreContract;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar of the test kit: its contents, and that an application can compile and run tests against it. */
@Timeout(300)
class PublishedTestKitIT {
    private static final Path CONSUMER = Path.of("src", "test", "consumer");
    /** The contract without the test of persistence, one test of a pool, and one of a crash. */
    private static final long TESTS = contractTests() + 1;

    private static final List<String> LIBRARIES = List.of(
            "apiguardian-api-",
            "assertj-core-",
            "byte-buddy-",
            "junit-jupiter-api-",
            "junit-jupiter-engine-",
            "junit-platform-commons-",
            "junit-platform-engine-",
            "junit-platform-launcher-",
            "opentest4j-");

    @TempDir
    private Path folder;

    @Test
    void jarHasTheClassesOfTheTestKitAndNothingElse() throws IOException {
        assertThat(files(jar("-testkit")))
                .contains("io/clockhand/testkit/PageStoreContract.class", "io/clockhand/testkit/IntegrityChecks.class")
                .allMatch(name -> (name.startsWith("io/clockhand/testkit/") && name.endsWith(".class"))
                        || name.equals("META-INF/MANIFEST.MF"));
        assertThat(files(jar(""))).noneMatch(name -> name.contains("testkit"));
    }

    @Test
    void jarOfSourcesHasTheSourceOfEachClass() throws IOException {
        Set<String> expected = files(jar("-testkit")).stream()
                .filter(name -> name.endsWith(".class") && !name.contains("$"))
                .map(name -> name.replace(".class", ".java"))
                .collect(toSet());
        expected.add("META-INF/MANIFEST.MF");

        assertThat(files(jar("-testkit-sources"))).isEqualTo(expected);
    }

    @Test
    void moduleOfAnApplicationCompilesAndRunsItsTests() throws Exception {
        String path = ChildJvm.path(libraries());
        compile("--module-path", path);

        assertThat(ChildJvm.run(
                        List.of("--module-path", path + File.pathSeparator + folder, "-m", "consumer/consumer.Main")))
                .isEqualTo(String.format("%d succeeded, 0 failed, module consumer%n", TESTS));
    }

    @Test
    void applicationOnTheClassPathCompilesAndRunsItsTests() throws Exception {
        String path = ChildJvm.path(libraries());
        compile("--class-path", path);

        assertThat(ChildJvm.run(List.of("-cp", path + File.pathSeparator + folder, "consumer.Main")))
                .startsWith(TESTS + " succeeded, 0 failed, unnamed module @");
    }

    private static long contractTests() {
        return Stream.<Class<?>>iterate(PageStoreContract.class, type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class))
                .count();
    }

    /** Compiles the application; a warning fails the test. */
    private void compile(String pathOption, String path) throws IOException {
        // requires-automatic: a jar of tests has no module descriptor
        List<String> arguments = new ArrayList<>(List.of(pathOption, path, "-d", folder.toString()));
        arguments.addAll(List.of("--release", "17", "-proc:none", "-Xlint:all,-requires-automatic", "-Werror"));
        try (Stream<Path> files = Files.walk(CONSUMER)) {
            boolean modular = pathOption.equals("--module-path");
            files.filter(Files::isRegularFile)
                    .filter(file -> modular || !file.endsWith("module-info.java"))
                    .forEach(file -> arguments.add(file.toString()));
        }
        StringWriter text = new StringWriter();
        PrintWriter output = new PrintWriter(text);
        int failures =
                ToolProvider.findFirst("javac").orElseThrow().run(output, output, arguments.toArray(new String[0]));
        assertThat(failures).as("compiles: %s", text).isZero();
    }

    private static Set<String> files(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .collect(toSet());
        }
    }

    private static List<Path> libraries() {
        List<Path> all = new ArrayList<>(List.of(jar(""), jar("-testkit")));
        String[] classPath = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        for (String prefix : LIBRARIES) {
            all.add(Arrays.stream(classPath)
                    .map(Path::of)
                    .filter(path -> path.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar " + prefix + " on the class path")));
        }
        return all;
    }

    private static Path jar(String classifier) {
        Path jar = Path.of(System.getProperty("clockhand.test.jars") + classifier + ".jar");
        assertThat(jar).exists();
        return jar;
    }
}
