// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which of the packages directly under that of the workbench import which. */
class PackagesTest {
    private static final Path SOURCES = Path.of("src/main/java/io/clockhand/workbench");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?io\\.clockhand\\.workbench\\.([a-z]\\w*\\.)?");

    /** By package, those that it imports; the root package has an empty name. */
    private static Map<String, Set<String>> imports() throws IOException {
        Map<String, Set<String>> imports = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Path relative = SOURCES.relativize(file);
                String own =
                        relative.getNameCount() == 1 ? "" : relative.getName(0).toString();
                Set<String> others = imports.computeIfAbsent(own, absent -> new TreeSet<>());
                IMPORT.matcher(Files.readString(file))
                        .results()
                        .map(PackagesTest::importedPackage)
                        .filter(other -> !other.equals(own))
                        .forEach(others::add);
            }
        }
        return imports;
    }

    private static String importedPackage(MatchResult found) {
        return found.group(1) == null ? "" : found.group(1).replace(".", "");
    }

    @Test
    void noPackageImportsItselfThroughOthers() throws IOException {
        Map<String, Set<String>> left = imports();
        // Packages that import none of those that are left are taken away, until there are none, or only cycles.
        boolean removed = true;
        while (removed) {
            removed = left.values().removeIf(others -> others.stream().noneMatch(left::containsKey));
        }

        assertThat(left)
                .as("packages that import each other in a circle, and those that import them: move the classes that"
                        + " several of them need into a package that imports none of these")
                .isEmpty();
    }
}
