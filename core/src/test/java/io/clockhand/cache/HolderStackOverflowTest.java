// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.SmallStack;
import io.clockhand.testing.Tier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Misses of holders overflow the stack, at every depth: afterwards the cache is as before. Hits check no stack, and may
 * leave a pin behind, so each key is found once: where finds overflow again and again, keys that are in the cache stay
 * there.
 */
class HolderStackOverflowTest {
    private static final int ROUNDS = Tier.pick(10, 30, 300);

    /** A holder that carries its key. */
    private static final class Holder {
        private Long key;
    }

    /** Loads and clears in a few calls. */
    private static final class Holders implements HolderLifecycle<Long, Holder, RuntimeException> {
        @Override
        public Holder allocate() {
            return new Holder();
        }

        @Override
        public Holder load(Holder holder, Long key) {
            useStack((int) (key % 7));
            holder.key = key;
            return holder;
        }

        @Override
        public Holder create(Holder holder, Long key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public Long keyOf(Holder holder) {
            return holder.key;
        }

        @Override
        public boolean isDirty(Holder holder) {
            return useStack(3) < 0;
        }

        @Override
        public void clean(Holder holder, boolean removing) {
            throw new AssertionError("no holder is dirty");
        }

        @Override
        public void clear(Holder holder) {
            holder.key = null;
        }

        private static int useStack(int calls) {
            return calls <= 0 ? 0 : 1 + useStack(calls - 1);
        }
    }

    private static String brokenInvariant(Runnable check) {
        try {
            check.run();
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyCanBeFoundAfterMissesThatOverflowedTheStack(KeyTableKind table) {
        HolderCache<Long, Holder, RuntimeException> cache = HolderCache.builder(new Holders())
                .frames(4)
                .tuning(t -> t.table(table))
                .build();
        cache.collectStats(true);
        long[] keys = new long[1];
        int overflows = SmallStack.dive(ROUNDS, depth -> cache.release(cache.find(keys[0]++)));

        assertThat(overflows).isGreaterThan(ROUNDS);
        assertThat(cache.stats().hits()).isZero();
        assertThat(cache.stats().pinned()).as("holders that are pinned").isZero();
        assertThat(brokenInvariant(cache::checkIntegrity))
                .as("an invariant that is broken")
                .isNull();
        for (long key = 0; key < keys[0]; key++) {
            Holder holder = cache.find(key);
            assertThat(holder.key).isEqualTo(key);
            cache.release(holder);
        }
        cache.checkIntegrity();
        cache.close();
    }
}
