// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.CacheProbe;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Failures of threads and of roll-backs. */
class TerminalsTest {
    private static final DataSource BROKEN = proxy(DataSource.class, proxy(Connection.class, null));

    private static final TpccRun AN_HOUR = new TpccRun(
            "none",
            TestDatabase.SCALE,
            Contender.of(Contender.DERBY),
            1000,
            Work.TRANSACTIONS,
            8,
            1800,
            1800,
            0,
            1,
            null,
            null,
            false,
            null,
            false);

    @Test
    void failureOfATerminalEndsTheRun() throws Exception {
        CacheProbe probe = proxy(CacheProbe.class, 0);
        try (Observer observer = new Observer(AN_HOUR, probe)) {
            assertThatThrownBy(() -> Terminals.run(AN_HOUR, BROKEN, observer)).hasMessageEndingWith(" is broken");
        }
    }

    @Test
    void failureOfARollBackDoesNotHideThatOfTheTransaction() throws SQLException {
        Session session = new Session(BROKEN);

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
                        return method.getReturnType() == void.class ? null : answer;
                    }
                    throw new SQLException(method.getName() + " is broken");
                }));
    }
}
