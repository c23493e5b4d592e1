// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.testkit.IntegrityChecks;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolTest {
    @RegisterExtension
    final IntegrityChecks checks = new IntegrityChecks();

    @Test
    void poolOpensTheStore() throws IOException {
        BufferPool pool = checks.watch(
                BufferPool.builder().pageBytes(4096).frames(10).build());
        CountingStore store = new CountingStore(4096);
        pool.open(0, store);

        assertThat(store.tryOwn()).as("the pool owns the store").isFalse();
        assertThat(store.reads()).isZero();
    }
}
