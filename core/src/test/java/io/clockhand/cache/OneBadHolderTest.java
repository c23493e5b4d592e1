// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holders that cannot be cleaned keep no other from it, and are named when the cache is closed. */
class OneBadHolderTest {
    private final Set<Integer> bad = new TreeSet<>();
    private final Set<Integer> stubborn = new TreeSet<>();
    private final Set<Integer> stuck = new TreeSet<>();
    private final List<Integer> written = new ArrayList<>();
    private final List<Integer> cleared = new ArrayList<>();

    /** Carries a number. */
    private static final class Holder {
        private int key;
        private boolean dirty;
    }

    private final class Lifecycle implements HolderLifecycle<Integer, Holder, IOException> {
        @Override
        public Holder allocate() {
            return new Holder();
        }

        @Override
        public Holder load(Holder holder, Integer key) {
            holder.key = key;
            return holder;
        }

        @Override
        public Holder create(Holder holder, Integer key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public Integer keyOf(Holder holder) {
            return holder.key;
        }

        @Override
        public boolean isDirty(Holder holder) {
            return holder.dirty;
        }

        @Override
        public void clean(Holder holder, boolean removing) throws IOException {
            if (bad.contains(holder.key)) {
                throw new IOException("bad sector of " + holder.key);
            }
            written.add(holder.key);
            holder.dirty = stubborn.contains(holder.key);
        }

        @Override
        public void clear(Holder holder) {
            cleared.add(holder.key);
            holder.dirty = false;
            if (stuck.contains(holder.key)) {
                throw new IllegalStateException("stuck: " + holder.key);
            }
        }
    }

    private HolderCache<Integer, Holder, IOException> cacheOfSix() throws IOException {
        HolderCache<Integer, Holder, IOException> cache =
                HolderCache.builder(new Lifecycle()).frames(10).build();
        for (int key = 0; key < 6; key++) {
            Holder holder = cache.find(key);
            holder.dirty = true;
            cache.release(holder);
        }
        return cache;
    }

    @Test
    void allOthersAreCleanedAndAllFailuresReported() throws IOException {
        HolderCache<Integer, Holder, IOException> cache = cacheOfSix();
        bad.addAll(Set.of(1, 4));
        assertThatThrownBy(cache::cleanAll)
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("bad sector of 1")
                .hasStackTraceContaining("bad sector of 4");
        assertThat(written).containsExactlyInAnyOrder(0, 2, 3, 5);
        assertThatThrownBy(cache::close).hasStackTraceContaining("bad sector of 4");
        bad.clear();
        cache.close();
        assertThat(written).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }

    @Test
    void closeClearsAllOthers() throws IOException {
        HolderCache<Integer, Holder, IOException> cache = cacheOfSix();
        bad.add(1);
        assertThatThrownBy(cache::close).isInstanceOf(IOException.class).hasMessage("bad sector of 1");
        assertThat(cleared).containsExactlyInAnyOrder(0, 2, 3, 4, 5);
        assertThat(cache.values()).extracting(holder -> holder.key).containsExactly(1);
    }

    @Test
    void holdersThatCannotBeClearedKeepNoOtherInTheCache() throws IOException {
        stuck.addAll(Set.of(1, 4));
        HolderCache<Integer, Holder, IOException> evicting = cacheOfSix();
        evicting.cleanAll();
        assertThatThrownBy(evicting::evictClean)
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("stuck: 1")
                .hasStackTraceContaining("stuck: 4");
        assertThat(evicting.stats().resident()).isZero();

        HolderCache<Integer, Holder, IOException> discarding = cacheOfSix();
        assertThatThrownBy(() -> discarding.discard(key -> true))
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("stuck: 1")
                .hasStackTraceContaining("stuck: 4");
        assertThat(discarding.stats().resident()).isZero();
        assertThat(cleared).hasSize(12);
    }

    @Test
    void closeTellsThatAHolderIsDirtyAfterItWasCleaned() throws IOException {
        HolderCache<Integer, Holder, IOException> cache = cacheOfSix();
        stubborn.addAll(Set.of(2, 3, 5));
        assertThatThrownBy(cache::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the cache was closed, but 3 of its holders are dirty after"
                        + " HolderLifecycle.clean, among them ");
    }
}
