// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of packages in architecture.md has the rows of {@link ArchitectureTest}, and its misses are the code's. */
class ArchitectureDocsTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z.]+)` \\|[^|]*\\|([^|]*)\\|$", Pattern.MULTILINE);
    private static final Pattern STEP = Pattern.compile("^[0-9]\\. `([A-Za-z.]+)`", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([a-z.]+)`");

    @Test
    void tableOfPackagesIsTheOneThatTheBuildEnforces() throws IOException {
        String page = Files.readString(Path.of("..", "src", "docs", "architecture.md"));
        String table = page.substring(page.indexOf("| package |"), page.indexOf("The other modules:"));

        Map<String, Set<String>> documented = ROW.matcher(table)
                .results()
                .collect(toMap(row -> packageOf(row.group(1)), row -> packagesIn(row.group(2))));

        assertThat(documented).isEqualTo(enforced());
    }

    @ParameterizedTest
    @ValueSource(strings = {"A page that `PagePool` has not found", "An object that `HolderCache` has not found"})
    void missIsOneMethodThatEntersFourMoreClassesOnceEach(String list) throws IOException {
        String page = Files.readString(Path.of("..", "src", "docs", "architecture.md"));
        int start = page.indexOf(list);
        String steps = page.substring(start, page.indexOf("\n\n", page.indexOf("\n\n", start) + 2));

        List<String> documented =
                STEP.matcher(steps).results().map(step -> step.group(1)).toList();

        assertThat(documented).hasSize(5);
        assertThat(documented.stream().map(step -> step.replaceAll("\\..*", "")))
                .doesNotHaveDuplicates();
        assertThat(ArchitectureTest.callsOf(documented.get(0)).stream().filter(documented::contains))
                .as("steps in the method of the miss, and in the methods of its class that it calls")
                .isEqualTo(documented.subList(1, 5));
    }

    /** Without the rows and the names of packages that have no class yet. */
    private static Map<String, Set<String>> enforced() {
        Set<String> planned = ArchitectureTest.packageNames().stream()
                .filter(not(ArchitectureTest::hasClasses))
                .collect(toSet());
        return ArchitectureTest.MAY_KNOW.entrySet().stream()
                .filter(row -> !planned.contains(row.getKey()))
                .collect(toMap(
                        Map.Entry::getKey,
                        row -> row.getValue().stream()
                                .filter(not(planned::contains))
                                .collect(toSet())));
    }

    private static Set<String> packagesIn(String cell) {
        return CODE.matcher(cell)
                .results()
                .map((MatchResult name) -> packageOf(name.group(1)))
                .collect(toSet());
    }

    private static String packageOf(String name) {
        return name.equals("io.clockhand") ? name : "io.clockhand." + name;
    }
}
