// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.clockhand.derby.conformance.Suite.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs each scenario on Derby's own cache and on Clockhand, in each version of Derby that the build has fetched: the
 * transcripts must be identical. {@code -Dclockhand.test.scenario=TEXT} chooses the scenarios with the text in their
 * names, {@code -Dclockhand.test.transcripts=true} prints the transcripts.
 */
class ConformanceTest {
    private static final String CHOSEN = System.getProperty("clockhand.test.scenario", "");

    /** The scenarios of the default tier, and of the other versions in CI: one for each kind of database and cache. */
    private static final Set<String> BRIEF = Set.of(
            "pages of four sizes",
            "altered tables",
            "compressed and truncated tables",
            "temporary tables",
            "rollbacks and savepoints",
            "distributed transactions",
            "views",
            "functions and procedures",
            "identity columns",
            "large objects changed in place",
            "rolled forward from a backup",
            "one row of eight threads");

    @TestFactory
    Stream<DynamicTest> clockhandDoesWhatDerbysOwnCacheDoes() {
        return compare(System.getProperty("clockhand.test.derby"), "default", BRIEF::contains);
    }

    @Tag("ci")
    @TestFactory
    Stream<DynamicTest> soItDoesInTheOtherScenarios() {
        return compare(System.getProperty("clockhand.test.derby"), "others", name -> !BRIEF.contains(name));
    }

    @Tag("ci")
    @TestFactory
    Stream<DynamicContainer> soItDoesInTheOtherVersions() {
        String main = System.getProperty("clockhand.test.derby");
        return versions()
                .filter(version -> !version.equals(main))
                .map(version -> DynamicContainer.dynamicContainer(
                        "Derby " + version, Stream.of(version).flatMap(v -> compare(v, "default", BRIEF::contains))));
    }

    /** Everything in every version, with the default settings and with each other policy, hand and table. */
    @Tag("nightly")
    @TestFactory
    Stream<DynamicContainer> soItDoesInEveryVersionWithEachOfItsSettings() {
        List<String[]> settings = List.of(
                new String[] {"clockhand.derby.policy", "nb-gclock3"},
                new String[] {"clockhand.derby.policy", "nb-gclock"},
                new String[] {"clockhand.derby.policy", "locked:lru"},
                new String[] {"clockhand.derby.hand", "atomic"},
                new String[] {"clockhand.derby.hand", "striped"},
                new String[] {"clockhand.derby.table", "non-blocking-hash-map"});
        return versions()
                .flatMap(version -> settings.stream()
                        .map(setting -> DynamicContainer.dynamicContainer(
                                "Derby " + version + " " + String.join("=", setting),
                                Stream.of(version)
                                        .flatMap(v ->
                                                compare(v, setting[1].replace(':', '-'), name -> true, setting)))));
    }

    private static Stream<String> versions() {
        return Stream.of(System.getProperty("clockhand.test.derbies").split(",", -1));
    }

    private static Stream<DynamicTest> compare(
            String version, String label, Predicate<String> brief, String... properties) {
        Predicate<String> chosen = brief.and(name -> name.contains(CHOSEN));
        String home = "conformance-" + version + "-" + label;
        try {
            Map<String, Outcome> stock = Suite.run(version, false, home + "-stock", chosen, properties);
            Map<String, Outcome> clockhand = Suite.run(version, true, home + "-clockhand", chosen, properties);
            List<DynamicTest> tests = new ArrayList<>();
            stock.forEach((name, outcome) ->
                    tests.add(DynamicTest.dynamicTest(name, () -> same(outcome, clockhand.get(name)))));
            return tests.stream();
        } catch (Exception e) {
            return Stream.of(DynamicTest.dynamicTest("engines", () -> {
                throw e;
            }));
        }
    }

    /** A statement may use an index that another thread has dropped since it was compiled, now and then. */
    private static boolean isDefectOfDerby(Throwable failure) {
        return failure != null
                && String.valueOf(failure.getMessage())
                        .matches("(?s).*The conglomerate \\([^)]*\\) requested does not exist.*");
    }

    private static void same(Outcome stock, Outcome clockhand) {
        if (Boolean.getBoolean("clockhand.test.transcripts")) {
            System.out.println(clockhand.transcript());
        }
        assumeThat(isDefectOfDerby(stock.failure()))
                .as("there is nothing to compare with: Derby with its own cache fails, %s", stock.failure())
                .isFalse();
        assertThat(stock.failure())
                .as("on stock, after%n%s", stock.transcript())
                .isNull();
        assertThat(clockhand.failure())
                .as("on Clockhand, after%n%s", clockhand.transcript())
                .isNull();
        assertThat(clockhand.transcript()).isNotBlank().isEqualTo(stock.transcript());
    }
}
