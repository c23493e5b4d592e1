// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.driver.RunTask;
import io.clockhand.workbench.derby.tpcc.Terminals.Tally;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Failures of threads and of roll-backs. */
class TerminalsTest {
    private static final RunTask TASK =
            new RunTask("none", new RequiredCache(null, 1000), 1, 60, 60, 0, 1, null, 60, null);

    @Test
    void countsOfAThreadAreAddedOnceItHasEndedAndAFailureIsThrownAndCounted() throws Exception {
        Terminals terminals = new Terminals(new TpccRun(TASK, TestDatabase.SCALE, false, false, null, false), null);
        Interval interval = TASK.interval();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Tally unfinished = new Tally();
        FutureTask<String> working = new FutureTask<>(terminals.handingIn(unfinished, interval, () -> {
            unfinished.addFailure();
            started.countDown();
            end.await();
            return "ended";
        }));
        new Thread(working).start();
        started.await();
        Callable<Void> failing = terminals.handingIn(new Tally(), interval, () -> {
            throw new SQLException("scripted");
        });

        assertThatThrownBy(failing::call).hasMessage("scripted");
        assertThat(interval.isBrokenOff()).isTrue();
        assertThat(terminals.total().errors()).isOne();
        end.countDown();
        assertThat(working.get()).isEqualTo("ended");
        assertThat(terminals.total().errors()).isEqualTo(2);
    }

    @Test
    void failureOfARollBackDoesNotHideThatOfTheTransaction() throws SQLException {
        DataSource broken = proxy(DataSource.class, proxy(Connection.class, null));
        Session session = new Session(broken);

        assertThatThrownBy(() -> session.run(new StockLevel(1, 1, 10)))
                .hasMessage("prepareStatement is broken")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("rollback is broken"));
    }

    /** Sets whatever is set, returns the connection, and fails to do anything else. */
    private static <T> T proxy(Class<T> type, Connection connection) {
        return type.cast(Proxy.newProxyInstance(
                TerminalsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("set") || connection != null) {
                        return connection;
                    }
                    throw new SQLException(method.getName() + " is broken");
                }));
    }
}
