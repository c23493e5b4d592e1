// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Wrong settings make the connection fail with what is possible; they never bring Derby's own cache back silently. */
class SettingsTest {
    @Test
    void settingsOfOneCacheOverrideThoseOfAll() throws Exception {
        Path home = DerbyHost.freshHome("overrides");
        try (DerbyHost host = DerbyHost.clockhand(
                        home,
                        "clockhand.derby.policy",
                        "locked:lru",
                        "clockhand.derby.PageCache.policy",
                        " nb-gclock ",
                        "clockhand.derby.PageCache.hand",
                        "striped",
                        "clockhand.derby.table",
                        "non-blocking-hash-map",
                        "clockhand.derby.StatementCache.table",
                        "chained");
                Connection connection = host.create("db")) {
            assertThat(connection.isValid(5)).isTrue();
            assertThat(status(host, "PageCache"))
                    .contains("policy=nb-gclock,", "hand=striped,", "table=non-blocking-hash-map,");
            assertThat(status(host, "ContainerCache")).contains("policy=locked:lru,", "table=non-blocking-hash-map,");
            assertThat(status(host, "StatementCache")).contains("policy=locked:lru,", "table=chained,");
        }
    }

    private static String status(DerbyHost host, String cache) throws Exception {
        return host.clockhandCaches().stream()
                .filter(text -> text.contains("cache=" + cache + ","))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anUnknownValueFailsTheConnectionWithThePossibleOnesUntilItIsCorrected() throws Exception {
        Path home = DerbyHost.freshHome("settings-corrected");
        String[] expected = {"clockhand.derby.policy", "'belady'", "nb-gclock3", "as in bp:lru"};
        try (DerbyHost host = DerbyHost.clockhand(home)) {
            host.create("old").close();
        }
        try (DerbyHost host = DerbyHost.clockhand(home, "clockhand.derby.policy", "belady")) {
            for (String database : new String[] {"old", "old", "new;create=true"}) {
                assertThat(failure(host, database)).as(database).contains(expected);
            }
            assertThat(host.log()).contains(expected);
        }
        try (DerbyHost host = DerbyHost.clockhand(home)) {
            host.connect("old").close();
            host.create("new").close();
            assertThat(host.isClockhandInForce()).isTrue();
        }
    }

    @Test
    void anUnknownHandOrTableFailsToo() throws Exception {
        fails("clockhand.derby.hand", "left", "'left'", "atomic, striped, batched");
        fails("clockhand.derby.table", "tree", "'tree'", "chained", "non-blocking-hash-map");
    }

    @Test
    void wrongSettingsOfTheAdviceFailToo() throws Exception {
        fails("clockhand.derby.advises", "yes", "'yes'", "false, true");
        fails("clockhand.derby.adviceTimeFraction", "2", "'2'", "greater than 0, and at most 1");
        fails("clockhand.derby.PageCache.advisedPolicies", "lru,belady", "'lru,belady'", "belady");
    }

    @Test
    void anUnknownNameFailsTheConnectionWithThePossibleOnes() throws Exception {
        fails("clockhand.derby.polciy", "nb-gclock3", "clockhand.derby.polciy", "clockhand.derby.policy", "PageCache");
        fails("clockhand.derby.PagesCache.policy", "nb-gclock3", "PagesCache", "PageCache");
    }

    /** Even if no page is read with it: a mistake is a mistake. */
    @Test
    void aWrongValueForAnotherCacheThanThatOfPagesFailsTheConnectionToo() throws Exception {
        fails("clockhand.derby.StatementCache.policy", "belady", "StatementCache", "'belady'", "nb-gclock3");
    }

    @Test
    void systemPropertiesCountAsWellAndComeFirst() throws Exception {
        Path home = DerbyHost.freshHome("system");
        System.setProperty("clockhand.derby.policy", "belady");
        try (DerbyHost host = DerbyHost.clockhand(home, "clockhand.derby.policy", "nb-gclock3")) {
            assertThat(failure(host, "db;create=true")).contains("'belady'");
        } finally {
            System.clearProperty("clockhand.derby.policy");
        }
    }

    private static void fails(String property, String value, String... expected) throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("settings"), property, value)) {
            assertThat(failure(host, "db;create=true")).contains(expected);
        }
    }

    private static String failure(DerbyHost host, String database) {
        SQLException failure = catchThrowableOfType(
                SQLException.class, () -> host.connect(database).close());
        assertThat((Throwable) failure).as("connection should fail").isNotNull();
        StringBuilder messages = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            messages.append(t.getMessage()).append('\n');
        }
        for (SQLException next = failure; next != null; next = next.getNextException()) {
            messages.append(next.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
