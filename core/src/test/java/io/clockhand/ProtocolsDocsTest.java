// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * The tables of protocols.md name, for each rule, tests that exist and planted faults that exist; each fault stands
 * beside the test that its patch names, and no fault or stress test is left out.
 */
class ProtocolsDocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PATCHES = ROOT.resolve(Path.of("faults", "patches"));

    /** The last two columns of a row: tests, faults. */
    private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|([^|]*)\\|([^|]*)\\|$");

    private static final Pattern TEST = Pattern.compile("`(?:jcstress )?(\\w+Test)`");
    private static final Pattern FAULT = Pattern.compile("`([a-z0-9-]+)`");
    private static final Pattern HEAD =
            Pattern.compile("^(?:Test|Stress): (?:[a-z0-9.]*\\.)?(\\w+)", Pattern.MULTILINE);

    private record Rule(String text, Set<String> tests, Set<String> faults) {}

    @Test
    void eachRuleNamesTestsAndFaultsThatExist() throws IOException {
        Set<String> tests = new TreeSet<>(testClasses());
        Set<String> faults = faults().keySet();
        SoftAssertions softly = new SoftAssertions();
        for (Rule rule : rules()) {
            softly.assertThat(rule.tests)
                    .as("tests of: %s", rule.text)
                    .isNotEmpty()
                    .isSubsetOf(tests);
            softly.assertThat(rule.faults)
                    .as("faults of: %s", rule.text)
                    .isNotEmpty()
                    .isSubsetOf(faults);
        }
        softly.assertAll();
    }

    @Test
    void eachFaultStandsBesideTheTestsThatSeeIt() throws IOException {
        List<Rule> rules = rules();
        SoftAssertions softly = new SoftAssertions();
        faults().forEach((fault, tests) -> softly.assertThat(
                        rules.stream().anyMatch(rule -> rule.faults.contains(fault) && rule.tests.containsAll(tests)))
                .as("protocols.md has a rule with the fault %s and its tests %s", fault, tests)
                .isTrue());
        softly.assertAll();
    }

    @Test
    void eachStressTestIsNamed() throws IOException {
        Set<String> named = new TreeSet<>();
        rules().forEach(rule -> named.addAll(rule.tests));
        assertThat(named).containsAll(stressTests());
    }

    private static List<Rule> rules() throws IOException {
        String page = Files.readString(ROOT.resolve(Path.of("src", "docs", "protocols.md")));
        List<Rule> rules = new ArrayList<>();
        String tables = page.substring(page.indexOf("## Invariants"));
        for (String line : tables.lines().toList()) {
            if (line.startsWith("## Faults of the published")) {
                break;
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()
                    && !row.group(3).contains("---")
                    && !row.group(3).strip().equals("fault")) {
                rules.add(new Rule(row.group(1).strip(), names(TEST, row.group(2)), names(FAULT, row.group(3))));
            }
        }
        assertThat(rules).as("rows of the tables").hasSizeGreaterThan(40);
        return rules;
    }

    private static Set<String> names(Pattern pattern, String cell) {
        return pattern.matcher(cell).results().map(name -> name.group(1)).collect(toCollection(TreeSet::new));
    }

    /** {@return the classes of the tests that each patch names, by the name of the fault} */
    private static Map<String, Set<String>> faults() throws IOException {
        try (Stream<Path> patches = Files.list(PATCHES)) {
            return patches.collect(toMap(
                    patch -> patch.getFileName().toString().replaceFirst("\\.patch$", ""), ProtocolsDocsTest::testsOf));
        }
    }

    private static Set<String> testsOf(Path patch) {
        try {
            Set<String> tests = names(HEAD, Files.readString(patch));
            assertThat(tests).as("tests that %s names", patch).isNotEmpty();
            return tests;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> testClasses() throws IOException {
        Set<String> names = stressTests();
        for (String module : List.of("core", "derby-adapter", "example", "lucene-directory", "workbench")) {
            names.addAll(javaFiles(ROOT.resolve(Path.of(module, "src", "test", "java")), ""));
        }
        return names;
    }

    private static Set<String> stressTests() throws IOException {
        return javaFiles(ROOT.resolve(Path.of("jcstress", "src", "main", "java")), "@JCStressTest");
    }

    private static Set<String> javaFiles(Path folder, String content) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java") && contains(file, content))
                    .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
                    .collect(toCollection(TreeSet::new));
        }
    }

    private static boolean contains(Path file, String content) {
        try {
            return content.isEmpty() || Files.readString(file).contains("\n" + content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
