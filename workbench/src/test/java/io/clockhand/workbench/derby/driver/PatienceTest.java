// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.driver.RunTask.Patience;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void resultsComeInTheOrderOfTheThreads() throws Exception {
        List<Future<Integer>> threads =
                List.of(CompletableFuture.completedFuture(1), CompletableFuture.completedFuture(2));

        assertThat(new Patience(SHORT, () -> 0).awaitAll("terminals", threads)).containsExactly(1, 2);
    }

    @Test
    void hangingThreadBreaksTheRunOff() {
        List<Future<Integer>> threads = List.of(CompletableFuture.completedFuture(1), new CompletableFuture<>());

        assertThatThrownBy(() -> new Patience(SHORT, () -> 0).awaitAll("terminals", threads))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("1 of 2 terminals hang: nothing has moved for ");
    }

    @Test
    void progressBuysTime() throws Exception {
        AtomicLong asked = new AtomicLong();
        CompletableFuture<Integer> slow = new CompletableFuture<>();
        Patience patience = new Patience(SHORT, () -> {
            if (asked.incrementAndGet() == 10) {
                slow.complete(7);
            }
            return asked.get();
        });

        assertThat(patience.awaitAll("terminals", List.<Future<Integer>>of(slow)))
                .containsExactly(7);
    }

    @Test
    void exceptionThatEndedAThreadIsThrown() {
        List<Future<Integer>> threads = List.of(CompletableFuture.failedFuture(new SQLException("no")));

        assertThatThrownBy(() -> new Patience(SHORT, () -> 0).awaitAll("terminals", threads))
                .isInstanceOf(SQLException.class);
    }
}
