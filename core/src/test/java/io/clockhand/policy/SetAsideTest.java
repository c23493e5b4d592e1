// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.testing.Tier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many frames a search scans while frames are dirty, and which frame is the victim when they are clean again. */
class SetAsideTest {
    private static final int ABSENT = -1;

    /**
     * Pages in frames, none of which is pinned. Dirty frames wait in a queue to be written, in the order in which
     * searches have met them. Single-threaded.
     */
    private static final class Pages implements Claims {
        private final ReplacementPolicy policy;
        /** Whether the policy learns that a frame is dirty, and is notified when it is clean. */
        private final boolean notifies;

        private final int[] pageIn;
        private final int[] weights;
        private final boolean[] dirty;
        private final boolean[] queued;
        private final Deque<Integer> queue = new ArrayDeque<>();
        private final int[] frameOf;
        private int used;
        private long scans;
        private long searches;
        private long searchesInVain;
        /** How often a frame became dirty, or was hit while it was dirty. */
        private long dirtyEvents;

        Pages(ReplacementPolicy policy, int frames, int pages, boolean notifies) {
            this.policy = policy;
            this.notifies = notifies;
            this.pageIn = new int[frames];
            this.weights = new int[frames];
            this.dirty = new boolean[frames];
            this.queued = new boolean[frames];
            this.frameOf = new int[pages];
            Arrays.fill(frameOf, ABSENT);
        }

        /** {@return whether the page was resident} */
        boolean reference(int page, boolean write) {
            int frame = frameOf[page];
            boolean hit = frame != ABSENT;
            if (hit) {
                hit(frame);
            } else {
                frame = load(page);
            }
            if (write) {
                makeDirty(frame);
            }
            return hit;
        }

        void hit(int frame) {
            dirtyEvents += dirty[frame] ? 1 : 0;
            weights[frame] = Math.min(policy.weightCap(), weights[frame] + 1);
            if (policy.tracksAccesses()) {
                policy.onHit(frame);
            }
        }

        void makeDirty(int frame) {
            dirtyEvents++;
            dirty[frame] = true;
        }

        /** Loads a page; if every frame is dirty, the miss writes those that have waited longest. */
        int load(int page) {
            int frame = used < pageIn.length ? used++ : evict(page);
            while (frame == ReplacementPolicy.NONE) {
                writeOldest();
                frame = evict(page);
            }
            pageIn[frame] = page;
            frameOf[page] = frame;
            weights[frame] = Math.min(1, policy.weightCap());
            policy.onLoad(frame, page, 0);
            return frame;
        }

        int evict(int incoming) {
            searches++;
            int victim = policy.evict(incoming, this);
            if (victim == ReplacementPolicy.NONE) {
                searchesInVain++;
            } else {
                assertThat(dirty[victim]).as("the victim is dirty").isFalse();
                frameOf[pageIn[victim]] = ABSENT;
            }
            return victim;
        }

        void writeOldest() {
            if (!queue.isEmpty()) {
                write(queue.remove());
            }
        }

        void write(int frame) {
            dirty[frame] = false;
            queued[frame] = false;
            if (notifies) {
                policy.onClean(frame);
            }
        }

        List<Integer> coldest(int count) {
            List<Integer> coldest = new ArrayList<>();
            policy.coldest(count, coldest::add);
            return coldest;
        }

        @Override
        public Outcome ageOrClaim(int frame) {
            if (weights[frame] > 1) {
                scans++;
                weights[frame]--;
                return Outcome.AGED;
            }
            return claim(frame);
        }

        @Override
        public boolean tryClaim(int frame) {
            return claim(frame) == Outcome.CLAIMED;
        }

        @Override
        public Outcome claim(int frame) {
            scans++;
            if (!dirty[frame]) {
                return Outcome.CLAIMED;
            }
            if (!queued[frame]) {
                queued[frame] = true;
                queue.add(frame);
            }
            return notifies ? Outcome.DIRTY : Outcome.SKIPPED;
        }
    }

    private static Pages full(String policy, int frames, boolean notifies) {
        Pages pages = new Pages(Policies.create(policy, frames), frames, 4 * frames, notifies);
        for (int page = 0; page < frames; page++) {
            pages.load(page);
        }
        return pages;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lru",
                "fifo",
                "2q",
                "lirs",
                "mq",
                "arc",
                "car",
                "s3-fifo",
                "sieve",
                "clock-pro",
                "w-tinylfu",
                "bp:lru",
                "bp:2q",
                "buffered:lirs",
                "spin:mq"
            })
    void searchesScanTenThousandDirtyFramesAtTheColdEndOnce(String policy) {
        int frames = 20_000; // half of them are dirty
        int searches = 1_000;
        Pages pages = full(policy, frames, true);
        pages.coldest(frames / 2).forEach(pages::makeDirty);
        pages.load(frames);
        assertThat(pages.scans).isEqualTo(frames / 2 + 1);

        for (int search = 1; search <= searches; search++) {
            pages.load(frames + search);
        }

        assertThat((double) (pages.scans - frames / 2 - 1) / searches).isLessThan(2);
        PoliciesForTests.checkIntegrity(pages.policy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lru", "fifo", "2q", "lirs", "mq", "arc", "car", "s3-fifo", "sieve", "clock-pro", "w-tinylfu"})
    void searchScansADirtyFrameOnceForEachTimeThatItBecameDirtyOrWasHit(String policy) {
        int references = Tier.pick(4_000, 40_000, 400_000);
        for (int seed = 0; seed < 10; seed++) {
            Pages pages = full(policy, 200, true);
            SplittableRandom random = new SplittableRandom(seed);
            for (int reference : References.mixed(seed, 800, references)) {
                pages.reference(reference, random.nextInt(100) < 10 * seed);
                if (random.nextInt(4) == 0) {
                    pages.writeOldest();
                }
            }

            assertThat(pages.scans)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(pages.searches + pages.dirtyEvents + 64 * pages.searchesInVain);
            PoliciesForTests.checkIntegrity(pages.policy);
        }
    }

    /** The search that walks past dirty frames, and leaves each in its place, is the definition. */
    @ParameterizedTest
    @CsvSource({"lru", "fifo", "2q", "lirs", "mq", "arc", "car", "s3-fifo", "sieve", "clock-pro", "w-tinylfu"})
    void hitsAreThoseOfASearchThatWalksPastDirtyFrames(String policy) {
        int frames = 500;
        int references = 200_000;
        long[] scans = new long[2];
        double[] ratios = new double[2];
        for (int form = 0; form < 2; form++) {
            Pages pages = new Pages(Policies.create(policy, frames), frames, 4_000, form == 0);
            SplittableRandom random = new SplittableRandom(1);
            int hits = 0;
            for (int n = 0; n < references; n++) {
                int page = (int) (4_000 * Math.pow(random.nextDouble(), 3));
                hits += pages.reference(page, random.nextInt(3) == 0) ? 1 : 0;
                if (n % 64 == 0) {
                    for (int i = 0; i < 20; i++) {
                        pages.writeOldest();
                    }
                }
            }
            ratios[form] = (double) hits / references;
            scans[form] = pages.scans;
        }

        System.out.printf(
                "%s with a third of writes: hit ratio %.4f and %d scans; if searches walk past dirty frames %.4f, %d%n",
                policy, ratios[0], scans[0], ratios[1], scans[1]);
        assertThat(ratios[0]).isCloseTo(ratios[1], within(0.005));
        assertThat(scans[0]).isLessThan(scans[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lru", "fifo", "2q", "lirs", "mq", "arc", "car", "s3-fifo", "sieve", "clock-pro", "w-tinylfu"})
    void framesThatAreCleanAgainAreTheNextVictimsInTheirOrder(String policy) {
        Pages pages = full(policy, 100, true);
        List<Integer> coldest = pages.coldest(7);
        List<Integer> dirty = coldest.subList(0, 6);
        dirty.forEach(pages::makeDirty);
        assertThat(pages.evict(1_000)).isEqualTo(coldest.get(6));

        dirty.forEach(pages::write);

        assertThat(IntStream.range(0, 6).mapToObj(pages::evict)).isEqualTo(dirty);
        PoliciesForTests.checkIntegrity(pages.policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru", "fifo", "2q", "mq", "arc", "car", "s3-fifo", "sieve"})
    void frameThatIsCleanFirstIsEvictedFirst(String policy) {
        Pages pages = full(policy, 100, true);
        List<Integer> dirty = pages.coldest(6);
        dirty.forEach(pages::makeDirty);
        pages.evict(1_000);
        Collections.reverse(dirty);

        dirty.forEach(pages::write);

        assertThat(IntStream.range(0, 6).mapToObj(pages::evict)).isEqualTo(dirty);
    }

    @ParameterizedTest
    @CsvSource({
        "lru, true",
        "lirs, true",
        "mq, true",
        "arc, true",
        "car, true",
        "sieve, true",
        "fifo, false",
        "2q, false",
        "s3-fifo, false"
    })
    void hitOfADirtyFrameDoesWhatAHitDoes(String policy, boolean moves) {
        for (int dirty = 1; dirty <= 3; dirty++) {
            Pages pages = full(policy, 100, true);
            List<Integer> coldest = pages.coldest(dirty + 1);
            coldest.forEach(pages::makeDirty);
            pages.evict(1_000);
            int hit = coldest.get(dirty);

            pages.hit(hit);
            coldest.forEach(pages::write);

            List<Integer> victims =
                    IntStream.range(0, dirty + 1).mapToObj(pages::evict).toList();
            assertThat(victims.contains(hit)).isEqualTo(!moves);
            PoliciesForTests.checkIntegrity(pages.policy);
        }
    }

    /** Frames that are hit in the main list of 2Q, and in a stack of LIRS whose queue is empty. */
    @ParameterizedTest
    @ValueSource(strings = {"2q", "lirs"})
    void frameOfAnInnerListMovesToItsFront(String policy) {
        int frames = 8;
        Pages pages = full(policy, frames, true);
        for (int page = 0; page < 3 * frames; page++) { // pages return while they are ghosts
            pages.reference(page % (frames + 2), false);
        }
        List<Integer> all = pages.coldest(frames);
        all.forEach(pages::makeDirty);
        assertThat(pages.evict(1_000)).isEqualTo(ReplacementPolicy.NONE);
        int last = all.get(frames - 2);

        pages.hit(last);
        all.forEach(pages::write);

        List<Integer> victims =
                IntStream.range(0, frames).mapToObj(pages::evict).toList();
        assertThat(victims).containsExactlyInAnyOrderElementsOf(all);
        assertThat(victims).containsSubsequence(all.get(frames - 1), last);
        PoliciesForTests.checkIntegrity(pages.policy);
    }

    /** A search in vain costs a few scans, however many frames are dirty. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lru", "fifo", "2q", "lirs", "mq", "arc", "car", "s3-fifo", "sieve", "clock-pro", "w-tinylfu"})
    void searchInVainScansFewFrames(String policy) {
        int frames = 10_000;
        Pages pages = full(policy, frames, true);
        for (int frame = 0; frame < frames; frame++) {
            pages.makeDirty(frame);
        }
        assertThat(pages.evict(1_000)).isEqualTo(ReplacementPolicy.NONE);

        for (int search = 0; search < 100; search++) {
            long before = pages.scans;
            assertThat(pages.evict(1_000)).isEqualTo(ReplacementPolicy.NONE);
            assertThat(pages.scans - before).isBetween(8L, 16L);
        }
    }

    /** A clock turns once for each weight of a page, dirty or not; the lock-free one scans all frames once more. */
    @ParameterizedTest
    @CsvSource({"gclock3, 3", "clock, 2", "nb-gclock3, 4"})
    void clockThatMeetsOnlyDirtyFramesTurnsAsOftenAsItsGreatestWeight(String policy, int revolutions) {
        int frames = 1_000;
        Pages pages = full(policy, frames, true);
        for (int frame = 0; frame < frames; frame++) {
            pages.hit(frame);
            pages.hit(frame);
            pages.makeDirty(frame);
        }

        assertThat(pages.evict(5_000)).isEqualTo(ReplacementPolicy.NONE);
        assertThat(pages.scans).isEqualTo((long) revolutions * frames);
        assertThat(pages.queue).hasSize(frames);

        long before = pages.scans;
        pages.write(17);
        assertThat(pages.evict(5_000)).isEqualTo(17);
        assertThat(pages.scans - before).isLessThanOrEqualTo(frames);
    }
}
