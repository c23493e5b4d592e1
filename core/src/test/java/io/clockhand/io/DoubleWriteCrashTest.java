// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.clockhand.testing.Tier;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store with a journal on disks that lose power. After each crash every page has the image of the last write that
 * returned, or of one under way; a run has it wholly or not at all, a batch by pages. Stores that leave out a force are
 * found.
 */
class DoubleWriteCrashTest {
    private static final int PAGE_BYTES = 2048;
    private static final int PAGES = 12;
    private static final int JOURNAL_PAGES = 9;
    private static final int LIVES = 4;
    private static final int STEPS_OF_A_LIFE = 60;

    /** A force that is left out. */
    enum Omitted {
        NOTHING,
        JOURNAL_BEFORE_THE_WRITE_IN_PLACE,
        STORE_BEFORE_THE_JOURNAL_IS_CLEARED,
        JOURNAL_AFTER_IT_IS_CLEARED,
        THE_WHOLE_JOURNAL
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15})
    void everyPageIsOldOrNewAfterEachCrash(int failureRate) throws IOException {
        int seeds = Tier.pick(200, 3_000, 100_000);
        for (long seed = 0; seed < seeds; seed++) {
            Run run = new Run(seed, Omitted.NOTHING, failureRate);
            assertThatCode(run::crashManyTimes).as("seed %d", seed).doesNotThrowAnyException();
        }
    }

    @Test
    void everyPageIsOldOrNewAfterACrashAtAnyStep() throws IOException {
        int seeds = Tier.pick(1, 3, 100);
        int outcomes = Tier.pick(2, 8, 20);
        for (int seed = 0; seed < seeds; seed++) {
            boolean crashed = true;
            for (int step = 0; crashed; step++) {
                for (int outcome = 0; outcome < outcomes; outcome++) {
                    crashed = new Run(seed, Omitted.NOTHING, 0, outcome).crashAt(step);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JOURNAL_BEFORE_THE_WRITE_IN_PLACE", "STORE_BEFORE_THE_JOURNAL_IS_CLEARED"})
    void omittedForceOfAWriteIsFound(Omitted omitted) throws IOException {
        omittedForceIsFound(omitted);
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource(names = {"JOURNAL_AFTER_IT_IS_CLEARED", "THE_WHOLE_JOURNAL"})
    void omittedForceIsFound(Omitted omitted) throws IOException {
        int found = 0;
        for (long seed = 0; seed < 3_000 && found == 0; seed++) {
            try {
                new Run(seed, omitted, 0).crashManyTimes();
            } catch (AssertionError e) {
                found++;
            }
        }
        assertThat(found)
                .as("runs that find that a force is left out: " + omitted)
                .isPositive();
    }

    /** A workload on two disks, and the images that each page may have. */
    private static final class Run {
        private final String plan;
        private final SplittableRandom random;
        private final SimulatedDisks disks;
        private final SimulatedDisks.Disk pages;
        private final SimulatedDisks.Disk journal;
        private final Omitted omitted;
        /** For each page the images that it may have after a crash; 0 is that of a page that does not exist. */
        private final List<Set<Long>> allowed = new ArrayList<>();
        /** The image that was written last; it is the only one when the store has been forced. */
        private final long[] latest = new long[PAGES];
        /** Whether a change has failed since, so that the image is not known. */
        private final boolean[] unclear = new boolean[PAGES];
        /** The first page of a run that is under way, its number of pages, and its first image. */
        private int runFirst;

        private int runPages;
        private long runImage;
        private long images;

        Run(long seed, Omitted omitted, int failureRate) {
            this(seed, omitted, failureRate, 0);
        }

        Run(long seed, Omitted omitted, int failureRate, long outcome) {
            this.plan = "seed " + seed + ", omitted " + omitted + ", failures " + failureRate + ", outcome " + outcome;
            this.random = new SplittableRandom(seed);
            this.omitted = omitted;
            this.disks = new SimulatedDisks(new SplittableRandom(seed + 1_000_000 * outcome));
            this.pages = disks.disk("pages", PAGE_BYTES);
            this.journal = disks.disk("journal", PAGE_BYTES);
            disks.failOneOf(failureRate);
            for (int page = 0; page < PAGES; page++) {
                allowed.add(new HashSet<>(Set.of(0L)));
            }
        }

        void crashManyTimes() throws IOException {
            for (int life = 0; life < LIVES; life++) {
                live(random.nextInt(STEPS_OF_A_LIFE));
            }
            check();
        }

        /** {@return whether the workload has more steps than these} */
        boolean crashAt(int step) throws IOException {
            live(step);
            boolean crashed = disks.steps() > step;
            check();
            live(random.nextInt(STEPS_OF_A_LIFE));
            check();
            return crashed;
        }

        private void check() throws IOException {
            disks.failOneOf(0);
            live(Integer.MAX_VALUE);
        }

        /** Opens the stores, compares all pages, works until the power fails, or a while, and restarts the disks. */
        private void live(int steps) throws IOException {
            disks.failPowerAfter(steps);
            PageStore store = null;
            while (store == null && disks.hasPower()) {
                store = attempt(this::open);
            }
            if (store != null) {
                compare(store);
                for (int change = 0; change < 25 && disks.hasPower(); change++) {
                    PageStore open = store;
                    attempt(() -> {
                        change(open);
                        return open;
                    });
                }
            }
            disks.restart();
        }

        private interface Attempt {
            PageStore make() throws IOException;
        }

        private PageStore attempt(Attempt attempt) throws IOException {
            try {
                return attempt.make();
            } catch (IOException e) {
                if (disks.hasPower() && !e.getMessage().contains("injected")) {
                    throw e;
                }
                pages.close();
                journal.close();
                return null;
            }
        }

        private PageStore open() throws IOException {
            return switch (omitted) {
                case NOTHING -> open(pages, journal);
                case JOURNAL_BEFORE_THE_WRITE_IN_PLACE -> openUnchecked(pages, new ForcedWhenCleared(journal, true));
                case JOURNAL_AFTER_IT_IS_CLEARED -> openUnchecked(pages, new ForcedWhenCleared(journal, false));
                case STORE_BEFORE_THE_JOURNAL_IS_CLEARED -> openUnchecked(new NeverForced(pages), journal);
                case THE_WHOLE_JOURNAL -> pages;
            };
        }

        /** So that the pages show what is wrong: the check could refuse such a journal. */
        private static PageStore openUnchecked(PageStore pages, PageStore journal) throws IOException {
            return DoubleWritePageStore.openUnchecked(pages, journal, JOURNAL_PAGES);
        }

        private static PageStore open(PageStore pages, PageStore journal) throws IOException {
            return DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES);
        }

        private void change(PageStore store) throws IOException {
            runPages = 0;
            int choice = random.nextInt(100);
            int page = random.nextInt(PAGES);
            if (choice < 50) {
                write(store, page, choice < 25 ? 1 : 1 + random.nextInt(PAGES - page));
            } else if (choice < 75) {
                writeBatch(store);
            } else if (choice < 85) {
                store.force();
                for (int i = 0; i < PAGES; i++) {
                    if (!unclear[i]) {
                        allowed.set(i, new HashSet<>(Set.of(latest[i])));
                    }
                }
            } else if (choice < 92) {
                int first = (int) Math.min(page, store.pages());
                clear(first, true);
                store.truncate(first);
                clear(first, false);
            } else {
                store.extend(page);
            }
        }

        /** From this page on pages may be zero, and are when the truncation has ended. */
        private void clear(int first, boolean begins) {
            for (int page = first; page < PAGES; page++) {
                allowed.get(page).add(0L);
                latest[page] = 0;
                unclear[page] = begins;
            }
        }

        private void write(PageStore store, int first, int count) throws IOException {
            runFirst = first;
            runPages = count;
            runImage = images + 1;
            long[] numbers = LongStream.range(first, first + count).toArray();
            ByteBuffer run = newImages(numbers);
            if (count == 1) {
                store.write(first, run);
            } else {
                store.writeRun(first, run);
            }
            written(numbers);
        }

        private void writeBatch(PageStore store) throws IOException {
            long[] numbers = random.ints(1 + random.nextInt(PAGES), 0, PAGES)
                    .asLongStream()
                    .sorted()
                    .distinct()
                    .toArray();
            store.writeBatch(numbers, 0, numbers.length, newImages(numbers));
            written(numbers);
        }

        private ByteBuffer newImages(long[] numbers) {
            ByteBuffer bytes = ByteBuffer.allocate(numbers.length * PAGE_BYTES);
            for (long number : numbers) {
                images++;
                int end = bytes.position() + PAGE_BYTES;
                while (bytes.position() < end) {
                    bytes.putLong(images);
                }
                allowed.get((int) number).add(images);
                unclear[(int) number] = true;
            }
            return bytes.flip();
        }

        private void written(long[] numbers) {
            for (int i = 0; i < numbers.length; i++) {
                int page = (int) numbers[i];
                latest[page] = images - numbers.length + 1 + i;
                unclear[page] = false;
                allowed.set(page, new HashSet<>(Set.of(latest[page])));
            }
        }

        private void compare(PageStore store) throws IOException {
            int newPages = 0;
            for (int page = 0; page < PAGES; page++) {
                long image = image(store, page);
                if (!allowed.get(page).contains(image)) {
                    throw new AssertionError("page " + page + " holds image " + image + ", which is none of "
                            + allowed.get(page) + ", " + plan);
                }
                boolean inRun = page >= runFirst && page < runFirst + runPages;
                if (inRun && image == runImage + page - runFirst) {
                    newPages++;
                }
                latest[page] = image;
                unclear[page] = false;
                allowed.set(page, new HashSet<>(Set.of(image)));
            }
            if (runPages > 0) {
                assertThat(newPages).as("pages of a run that are new, %s", plan).isIn(0, runPages);
            }
            runPages = 0;
        }

        private long image(PageStore store, int page) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
            try {
                store.read(page, bytes);
            } catch (EOFException e) {
                return 0;
            }
            long image = bytes.flip().getLong();
            while (bytes.hasRemaining()) {
                long other = bytes.getLong();
                if (other != image) {
                    throw new AssertionError("page " + page + " is torn: " + image + " and " + other + ", " + plan);
                }
            }
            return image;
        }
    }

    /** Is not forced when it should be. */
    private static final class NeverForced extends ForwardingStore {
        NeverForced(PageStore store) {
            super(store);
        }

        @Override
        public void force() {
            // writes stay where they are
        }
    }

    /** A journal that is forced only when it was cleared, or only when it was not; and always when it is made. */
    private static final class ForcedWhenCleared extends ForwardingStore {
        private final boolean onlyThen;
        private boolean cleared;
        private boolean isNew;

        ForcedWhenCleared(PageStore store, boolean onlyThen) {
            super(store);
            this.onlyThen = onlyThen;
        }

        @Override
        public void truncate(long pages) throws IOException {
            isNew = true;
            super.truncate(pages);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            cleared = page == 0;
            super.write(page, source);
        }

        @Override
        public void force() throws IOException {
            if (isNew || cleared == onlyThen) {
                super.force();
                isNew &= !cleared; // until the mark is forced
            }
            cleared = false;
        }
    }
}
