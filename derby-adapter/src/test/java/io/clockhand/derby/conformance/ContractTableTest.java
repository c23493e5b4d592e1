// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about Derby's contract names tests and scenarios that exist, and every scenario. */
class ContractTableTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final Pattern SCENARIO = Pattern.compile("scenario: ([a-z ]+[a-z])");

    @Test
    void theTestsAndScenariosOfTheTableExist() throws Exception {
        String table = Files.readString(Path.of("..", "src", "docs", "derby-contract.md"));
        List<MatchResult> tests = TEST.matcher(table).results().toList();
        assertThat(tests).hasSizeGreaterThan(40);
        for (MatchResult test : tests) {
            Class<?> type = Class.forName("io.clockhand.derby." + test.group(1));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()))
                    .as(test.group(1))
                    .contains(test.group(2));
        }
        List<String> named =
                SCENARIO.matcher(table).results().map(match -> match.group(1)).toList();
        assertThat(named).doesNotHaveDuplicates();
        assertThat(Suite.SCENARIOS.stream().map(Scenario::name)).containsExactlyInAnyOrderElementsOf(named);
    }
}
