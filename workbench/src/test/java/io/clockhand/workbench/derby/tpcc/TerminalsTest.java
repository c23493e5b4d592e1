// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.tpcc.TpccRun.Work;
import io.clockhand.workbench.experiment.Timing;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TerminalsTest {
    private static final Contender DERBY = Contender.of(Contender.DERBY);
    private static final int DERBYS_DEFAULT = 1000;

    private TestDatabase database;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.loaded();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** An interval of these seconds, with as many operations at least. */
    private Tally run(Work work, int seconds, long operations) throws Exception {
        TpccRun run = new TpccRun(
                "none",
                TestDatabase.SCALE,
                DERBY,
                DERBYS_DEFAULT,
                work,
                4,
                Timing.alone(0, seconds),
                operations,
                1,
                null,
                false,
                null,
                false);
        try (Observer observer = new Observer(run, new CacheProbe(DERBY, DERBYS_DEFAULT))) {
            Interval interval = new Interval(run);
            Tally tally = new Terminals(run, database.dataSource(), interval).run(observer);
            assertThat(interval.operations()).isGreaterThanOrEqualTo(operations);
            assertThat(observer.residentAtStart).isPositive();
            return tally;
        }
    }

    @ParameterizedTest
    @EnumSource
    void runGoesOnUntilTheLeastOperationsAreDone(Work work) throws Exception {
        Tally tally = run(work, 0, 20);

        assertThat(tally.transactions).isPositive();
        assertThat(tally.errors).isZero();
        assertThat(tally.percentiles()).containsKey(work == Work.SELECTS ? "selects" : "newOrder");
        assertThat(Consistency.violations(database.dataSource(), TestDatabase.SCALE, tally.delivered))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"history, h_data, a terminal", "customer, c_delivery_cnt, a delivery worker"})
    void failureOfOneThreadEndsTheRun(String table, String column, String thread) throws Exception {
        database.execute("ALTER TABLE " + table + " DROP COLUMN " + column);

        assertThatThrownBy(() -> run(Work.TRANSACTIONS, 3600, 0))
                .as(thread)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(column.toUpperCase(Locale.ROOT));
    }

    @Test
    void failureOfARollBackDoesNotHideThatOfTheTransaction() throws SQLException {
        Session session = new Session(proxy(DataSource.class, proxy(Connection.class, null)));

        assertThatThrownBy(() -> session.run(new StockLevel(1, 1, 10)))
                .hasMessage("prepareStatement is broken")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("rollback is broken"));
    }

    /** Sets whatever is set, returns the answer if there is one, and fails to do anything else. */
    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                TerminalsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("set") || answer != null) {
                        return answer;
                    }
                    throw new SQLException(method.getName() + " is broken");
                }));
    }
}
