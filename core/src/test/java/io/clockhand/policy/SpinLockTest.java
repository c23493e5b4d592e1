// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SpinLockTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 20_000;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final SpinLock lock = new SpinLock();
    private int count;

    @Test
    void lockIsHeldByOneThreadAtATime() throws Exception {
        List<Worker<Void>> adding = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            adding.add(workers.run(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    lock.lock();
                    try {
                        count++;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        for (Worker<Void> thread : adding) {
            thread.result();
        }
        assertThat(count).isEqualTo(THREADS * ROUNDS);
    }

    @Test
    void tryLockDoesNotWait() {
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }
}
