// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 2R-GCLOCK's rings: what drops, and frames that cannot be claimed, do to them. */
class TwoRingGclockTest {
    private static final int THREADS = 16;

    @RegisterExtension
    private final Workers workers = new Workers();

    /** Frames without content: each is free, loaded, pinned or owned. */
    private static final class Frames implements Claims {
        private static final int FREE = 0;
        private static final int LOADED = 1;
        private static final int PINNED = 2;
        private static final int OWNED = 3;

        private final AtomicIntegerArray states;
        private final TwoRingGclock policy;
        private int scans;
        /** Runs once, before the next frame is claimed. */
        private Runnable beforeClaim = () -> {};

        Frames(int frames) {
            this(new TwoRingGclock(frames), frames);
        }

        Frames(TwoRingGclock policy, int frames) {
            states = new AtomicIntegerArray(frames);
            this.policy = policy;
        }

        boolean tryLoad(int frame, long page) {
            if (!states.compareAndSet(frame, FREE, OWNED)) {
                return false;
            }
            load(frame, page);
            return true;
        }

        private void load(int frame, long page) {
            policy.onLoad(frame, page, 0);
            states.set(frame, LOADED);
        }

        void drop(int frame) {
            if (states.compareAndSet(frame, LOADED, OWNED)) {
                policy.onRemove(frame);
                states.set(frame, FREE);
            }
        }

        void miss(long page) {
            int victim = policy.evict(page, this);
            if (victim != ReplacementPolicy.NONE) {
                load(victim, page);
            }
        }

        List<Integer> evictAll() {
            List<Integer> victims = new ArrayList<>();
            for (int victim = policy.evict(-1, this); victim >= 0; victim = policy.evict(-1, this)) {
                victims.add(victim);
            }
            return victims;
        }

        @Override
        public Outcome ageOrClaim(int frame) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryClaim(int frame) {
            scans++;
            Runnable first = beforeClaim;
            beforeClaim = () -> {};
            first.run();
            return states.compareAndSet(frame, LOADED, OWNED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 100})
    void droppedFramesNeverFillARing(int count) {
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame);
        }
        for (int round = 0; round < 1_000; round++) {
            for (int frame = round % 3; frame < count; frame += 1 + round % 2) {
                frames.drop(frame);
                frames.tryLoad(frame, round + frame);
            }
            frames.policy.checkIntegrity();
        }

        assertThat(frames.evictAll()).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void droppedFramesCostASearchNoClaim() {
        Frames frames = new Frames(100);
        for (int round = 0; round < 3; round++) {
            for (int frame = 0; frame < 100; frame++) {
                frames.drop(frame);
                frames.tryLoad(frame, frame);
            }
        }

        frames.miss(1_000);

        assertThat(frames.scans).isEqualTo(1);
    }

    @Test
    void replacedColdPagesLeaveInTheOrderInWhichTheyCame() {
        int count = 100;
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame); // the last five are cold
        }
        List<Integer> victims = new ArrayList<>();
        for (int page = 1_000; page < 1_010; page++) {
            int victim = frames.policy.evict(page, frames);
            victims.add(victim);
            frames.load(victim, page);
        }

        assertThat(victims).containsExactly(95, 96, 97, 98, 99, 95, 96, 97, 98, 99);
    }

    @Test
    void pageThatReturnsInTimeTakesThePlaceOfAHotOne() {
        int count = 100;
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame); // frames 0 to 94 are hot, and page 0 is the oldest
        }
        frames.miss(1_000); // evicts page 95
        frames.miss(95); // hot now: page 0 was demoted, and frame 96 is the one of page 95
        frames.policy.checkIntegrity();

        List<Integer> victims = new ArrayList<>();
        for (int page = 2_000; page < 2_005; page++) {
            int victim = frames.policy.evict(page, frames);
            victims.add(victim);
            frames.load(victim, page);
        }
        assertThat(victims).containsExactly(97, 98, 99, 95, 0);
    }

    /** With one cold frame nothing is left to chance: the frame of the hot page that goes is the victim. */
    @Test
    void pageThatReturnsInTimeTakesThePlaceOfAHotOneInASmallPool() {
        int count = 20;
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame); // frames 0 to 18 are hot
        }
        frames.miss(1_000); // evicts page 19
        int returned = frames.policy.evict(19, frames);
        frames.load(returned, 19); // hot now
        frames.policy.checkIntegrity();

        List<Integer> victims = new ArrayList<>();
        for (int page = 2_000; page < 2_005; page++) {
            int victim = frames.policy.evict(page, frames);
            victims.add(victim);
            frames.load(victim, page);
        }
        assertThat(victims)
                .as("frames that are evicted after that of the returned page became hot")
                .doesNotContain(returned);
    }

    @Test
    void demotedFrameThatCannotTakeTheCellOfAVictimGetsAnother() {
        int count = 100;
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame);
        }
        frames.miss(1_000); // evicts page 95
        for (int frame = 95; frame < count; frame++) {
            frames.states.set(frame, Frames.PINNED);
        }

        int victim = frames.policy.evict(95, frames); // a hot one, while page 0 was demoted
        frames.policy.checkIntegrity();
        frames.load(victim, 95);
        frames.policy.checkIntegrity();

        assertThat(victim).isEqualTo(1);
        assertThat(frames.policy.evict(3_000, frames)).isZero(); // the only cold page that is not pinned
    }

    /** The demoted frame is not there any more when the victim has been found, so it gets no cell. */
    @Test
    void victimKeepsItsCellIfTheDemotedPageIsRemovedMeanwhile() {
        int count = 100;
        Frames frames = new Frames(count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryLoad(frame, frame); // frames 0 to 94 are hot, and page 0 is the oldest
        }
        frames.miss(1_000); // evicts page 95
        frames.beforeClaim = () -> frames.drop(0);

        int victim = frames.policy.evict(95, frames);

        assertThat(victim).isEqualTo(96);
        assertRingsAreWhole(frames.policy);
        frames.load(victim, 95);
        frames.tryLoad(0, 2_000);
        assertRingsAreWhole(frames.policy);
        assertThat(frames.evictAll()).hasSize(count).doesNotHaveDuplicates();
    }

    private static void assertRingsAreWhole(TwoRingGclock policy) {
        assertThatCode(policy::checkIntegrity).as("the rings").doesNotThrowAnyException();
    }

    /** Else pages that return would have no room among the hot ones. */
    @Test
    void removedHotFrameLeavesItsCellToAnother() {
        RingCounters counters = new RingCounters(100, false);
        Frames frames = new Frames(new TwoRingGclock(100, new ListedFrames(100), counters), 100);
        for (int frame = 0; frame < 100; frame++) {
            frames.tryLoad(frame, frame);
        }
        for (int frame = 0; frame < 50; frame++) {
            frames.drop(frame);
        }

        assertThat(counters.read(RingCounters.HOT_FRAMES))
                .as("hot frames after 50 of 95 were removed")
                .isEqualTo(45);
        assertRingsAreWhole(frames.policy);
    }

    @Test
    void pageOfADeclinedVictimIsNoGhost() {
        Frames frames = new Frames(100);
        for (int frame = 0; frame < 100; frame++) {
            frames.tryLoad(frame, frame);
        }
        int victim = frames.policy.evict(1_000, frames);
        assertThat(victim).isEqualTo(95);
        assertThat(frames.policy.isGhost(95)).as("the victim's page is a ghost").isTrue();

        frames.policy.onDeclined(victim);

        assertThat(frames.policy.isGhost(95))
                .as("the page of the declined frame is a ghost")
                .isFalse();
        assertRingsAreWhole(frames.policy);
    }

    @Test
    void pageThatIsLoadedAgainIsNoGhost() {
        Frames frames = new Frames(100);
        for (int frame = 0; frame < 100; frame++) {
            frames.tryLoad(frame, frame);
        }
        frames.miss(1_000); // evicts page 95
        frames.miss(95);
        assertThat(frames.policy.isGhost(95))
                .as("the page that has returned is a ghost")
                .isFalse();
        assertThat(frames.policy.isGhost(96))
                .as("the page that was evicted for it is a ghost")
                .isTrue();
        int victim = frames.policy.evict(2_000, frames); // frame 97
        frames.load(victim, 96); // not the page for which it was evicted
        assertThat(frames.policy.isGhost(96))
                .as("the page that was loaded instead is a ghost")
                .isFalse();
    }

    /** A frame that a search finds dirty, and that is clean before the search has marked it, is tried again. */
    @Test
    void frameThatIsCleanedBeforeItIsMarkedIsTheVictim() {
        assertThat(victimOfASearchThatMeets(Claims.Outcome.CLAIMED, 95)).isEqualTo(95);
    }

    /** If it is in use by then, it is no victim, but keeps no mark either. */
    @Test
    void frameThatIsPinnedAndCleanAfterItIsMarkedKeepsNoMark() {
        assertThat(victimOfASearchThatMeets(Claims.Outcome.SKIPPED, 95)).isEqualTo(96);
    }

    private static int victimOfASearchThatMeets(Claims.Outcome afterItsMark, int cleaned) {
        TwoRingGclock policy = new TwoRingGclock(100);
        for (int frame = 0; frame < 100; frame++) {
            policy.onLoad(frame, frame, 0); // the last five are cold
        }
        int victim = policy.evict(1_000, new Claims() {
            private int claims;

            @Override
            public Outcome ageOrClaim(int frame) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean tryClaim(int frame) {
                return claim(frame) == Outcome.CLAIMED;
            }

            @Override
            public Outcome claim(int frame) {
                if (frame != cleaned) {
                    return Outcome.CLAIMED;
                }
                if (claims++ == 0) {
                    policy.onClean(frame); // it has no mark yet
                    return Outcome.DIRTY;
                }
                return afterItsMark;
            }
        });
        assertThat(victim == cleaned || policy.isTried(cleaned))
                .as("searches try a frame that was cleaned before it was marked")
                .isTrue();
        return victim;
    }

    /** A pool that shrinks releases victims past its size without a load, and without a notice. */
    @Test
    void victimsPastASmallerCapacityKeepNoCell() {
        RingCounters counters = new RingCounters(100, false);
        Frames frames = new Frames(new TwoRingGclock(100, new ListedFrames(100), counters), 100);
        for (int frame = 0; frame < 100; frame++) {
            assertThat(frames.tryLoad(frame, frame)).isTrue();
        }
        assertThat(counters.read(RingCounters.HOT_FRAMES)).isEqualTo(95);
        assertThat(frames.evictAll()).hasSize(100);

        frames.policy.onCapacity(10);

        assertThat(counters.read(RingCounters.HOT_FRAMES)).isLessThanOrEqualTo(10);
        assertThat(counters.read(RingCounters.RESIDENTS))
                .as("frames in use after the pool has shrunk to 10")
                .isEqualTo(10);
        for (int frame = 0; frame < 10; frame++) {
            frames.load(frame, 200 + frame);
        }
        frames.policy.checkIntegrity();
        assertThat(frames.evictAll()).hasSize(10);
    }

    @Test
    void coldRingOfPinnedFramesTurnsTheHotRing() {
        Frames frames = new Frames(100);
        for (int frame = 0; frame < 100; frame++) {
            frames.tryLoad(frame, frame);
        }
        for (int frame = 95; frame < 100; frame++) { // the last five were loaded cold
            frames.states.set(frame, Frames.PINNED);
        }

        assertThat(frames.policy.evict(1_000, frames)).isZero();
        frames.policy.checkIntegrity();
    }

    @Test
    void vainSearchAmongDirtyFramesLeavesHotFramesHot() {
        int count = 100;
        TwoRingGclock policy = new TwoRingGclock(count);
        for (int frame = 0; frame < count; frame++) {
            policy.onLoad(frame, frame, 0); // the last five are cold
        }
        DirtyFrames dirty = new DirtyFrames();

        for (int search = 0; search < 3; search++) {
            assertThat(policy.evict(1_000 + search, dirty)).isEqualTo(ReplacementPolicy.NONE);
        }
        policy.checkIntegrity();
        dirty.areClean = true;
        for (int frame = 0; frame < count; frame++) {
            policy.onClean(frame);
        }

        List<Integer> victims = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            victims.add(policy.evict(2_000 + i, dirty));
        }
        assertThat(victims).containsExactlyInAnyOrder(95, 96, 97, 98, 99);
    }

    /** Unused frames without weight, which are dirty at first. */
    private static final class DirtyFrames implements Claims {
        private boolean areClean;

        @Override
        public Outcome ageOrClaim(int frame) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryClaim(int frame) {
            return areClean;
        }

        @Override
        public Outcome claim(int frame) {
            return areClean ? Outcome.CLAIMED : Outcome.DIRTY;
        }
    }

    @Test
    void loopThatIsLargerThanThePoolHitsWhatStays() {
        PooledPages pool = new PooledPages(new TwoRingGclock(100), 100, 120);
        int hits = 0;
        for (int n = 0; n < 120 * 50; n++) {
            hits += pool.reference(n % 120) ? 1 : 0;
        }

        assertThat(100.0 * hits / (120 * 50)).isGreaterThan(75); // the optimum is 81
    }

    @Test
    void scanLeavesTheHotPages() {
        PooledPages pool = new PooledPages(new TwoRingGclock(100), 100, 10_000);
        for (int n = 0; n < 20_000; n++) {
            pool.reference(n % 2 == 0 ? n / 2 % 80 : 100 + n / 2 % 9_900);
        }

        for (int page = 0; page < 80; page++) {
            assertThat(pool.reference(page)).as("page %d", page).isTrue();
        }
    }

    @Test
    void adaptiveColdRingHitsMoreOfAScanToAndFro() {
        int fixed = hitsOfAScanToAndFro(Policies.create("2r-gclock", 200));
        int adaptive = hitsOfAScanToAndFro(Policies.create("2r-gclock-adaptive", 200));

        assertThat(adaptive).isGreaterThan(3 * fixed / 2);
    }

    private static int hitsOfAScanToAndFro(ReplacementPolicy policy) {
        PooledPages pool = new PooledPages(policy, 200, 400);
        int hits = 0;
        for (int n = 0; n < 100_000; n++) {
            int position = n % 800;
            hits += pool.reference(position < 400 ? position : 799 - position) ? 1 : 0;
        }
        return hits;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 40})
    void concurrentDropsAndEvictionsLoseNoFrame(int count) {
        Frames frames = new Frames(count);
        int steps = Tier.pick(5_000, 20_000, 1_000_000);
        List<Workers.Worker<?>> running = new ArrayList<>();
        for (int seed = 0; seed < THREADS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            running.add(workers.start(() -> {
                for (int step = 0; step < steps; step++) {
                    step(frames, random);
                }
                return null;
            }));
        }
        running.forEach(Workers.Worker::result);
        frames.policy.checkIntegrity();
        int loaded = 0;
        for (int frame = 0; frame < count; frame++) {
            loaded += frames.states.get(frame) == Frames.LOADED ? 1 : 0;
        }

        assertThat(frames.evictAll()).hasSize(loaded).doesNotHaveDuplicates();
    }

    private static void step(Frames frames, SplittableRandom random) {
        int count = frames.states.length();
        int frame = random.nextInt(count);
        long page = random.nextInt(3 * count);
        switch (random.nextInt(4)) {
            case 0 -> frames.drop(frame);
            case 1 -> frames.tryLoad(frame, page);
            default -> frames.miss(page);
        }
    }
}
