// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import io.clockhand.testkit.ReplacementPolicyContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A policy of one's own, as a user writes it: under the contract, and in a pool. */
class ExamplePolicyTest extends ReplacementPolicyContract {
    private static final int PAGE_BYTES = 512;

    // tag::example[]
    static final class SecondChance implements ReplacementPolicy {
        private boolean[] referenced;
        private int hand;

        SecondChance(int frames) {
            referenced = new boolean[frames];
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            referenced[frame] = false;
        }

        @Override
        public void onHit(int frame) {
            referenced[frame] = true;
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            for (int step = 0; step < 2 * referenced.length; step++) {
                hand = (hand + 1) % referenced.length;
                if (!referenced[hand] && claims.tryClaim(hand)) {
                    return hand;
                }
                referenced[hand] = false;
            }
            return NONE;
        }

        @Override
        public void onCapacity(int frames) {
            referenced = Arrays.copyOf(referenced, frames);
        }
    }
    // end::example[]

    @Override
    protected Stream<Candidate> candidates() {
        return Stream.of(new Candidate("second-chance", ExamplePolicyTest::newPolicy));
    }

    private static ReplacementPolicy newPolicy(int frames) {
        return Policies.locked(new SecondChance(frames), new ReentrantLock());
    }

    @Test
    void poolEvictsThePageThatWasNotHit() throws IOException {
        MemoryPageStore store = new MemoryPageStore("pages", PAGE_BYTES);
        for (int page = 0; page < 4; page++) {
            store.write(page, ByteBuffer.allocate(PAGE_BYTES));
        }
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(3)
                .policy("second-chance", ExamplePolicyTest::newPolicy)
                .build()) {
            PagedFile file = pool.open(0, store);
            read(pool, file, 0, 1, 2);
            read(pool, file, 0, 2); // a second time
            read(pool, file, 3); // evicts page 1
            pool.collectStats(true);

            read(pool, file, 0, 2, 3);
            assertThat(pool.stats().misses()).isZero();
            read(pool, file, 1);
            assertThat(pool.stats().misses()).isEqualTo(1);
        }
    }

    private static void read(BufferPool pool, PagedFile file, int... pages) throws IOException {
        for (int page : pages) {
            pool.fix(file.id(page)).close();
        }
    }

    @Test
    void documentationShowsThisPolicy() throws IOException {
        String code = Files.readString(source("test", ExamplePolicyTest.class))
                .replaceAll("(?s).*// tag::example\\[]\n(.*?)\n *// end::example\\[].*", "$1")
                .replaceAll("(?m)^ {4}", "")
                .replace("static final class", "final class");
        String javadoc =
                Files.readString(source("main", ReplacementPolicy.class)).replaceAll("(?m)^ \\* ?", "");

        assertThat(code).startsWith("final class SecondChance");
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSize(30);
        assertThat(javadoc).contains(code);
    }

    private static Path source(String kind, Class<?> type) {
        return Path.of("src", kind, "java", type.getName().replace('.', '/') + ".java");
    }
}
