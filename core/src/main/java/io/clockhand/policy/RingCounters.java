// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of {@link TwoRingGclock}, and the number of frames that are to be cold. Only misses access them.
 *
 * <p>{@link #EPOCH}, {@link #RESIDENTS} and {@link #HOT_FRAMES} are changed by atomic adds, and read with opaque order:
 * a change that is seen late makes one page enter the other ring. The target of an adaptive cold ring is loaded and
 * stored with opaque order; a change that is lost, is lost. Capacity and ticks are written under the pool's lock of
 * growth (volatile). A caller reads the capacity once and gets the cold frames of that capacity, so they fit into it
 * while the pool is resized. Each counter has cache lines of its own. Thread-safe.
 *
 * <p><b>The clock</b> advances by one for each page that is loaded or has a second chance. It is the one word that all
 * misses would write, so only pages in some of the cells count, each for several: as many as are a sixteenth of the
 * cold frames, and at most {@value #MOST_TICKS}. So stamps are exact in small pools, and late by less than a hundredth
 * of a pool's pages in others.
 */
final class RingCounters {
    /** The clock. */
    static final int EPOCH = 16;
    /** The frames that are listed or were evicted. */
    static final int RESIDENTS = 32;
    /** The frames that have a hot cell. */
    static final int HOT_FRAMES = 48;

    private static final int COLD_TARGET = 64;
    private static final int WORDS = 80;
    private static final int MOST_TICKS = 64;
    private static final int TICKS_PER_COLD_FRAMES = 16;
    private static final double COLD = 0.05;
    private static final double MOST_COLD = 0.5;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words = new long[WORDS];
    private final double cold;
    /** The greatest fraction of an adaptive cold ring. */
    private final double mostCold;

    private final boolean adaptive;
    private volatile int capacity;
    /** A power of two. */
    private volatile int ticks;

    RingCounters(int frames, boolean adaptive) {
        this(frames, COLD, adaptive ? MOST_COLD : COLD);
    }

    /**
     * Makes counters.
     *
     * @param cold the fraction of the cold ring in the frames
     * @param mostCold the greatest one if it is adaptive, else the same
     */
    RingCounters(int frames, double cold, double mostCold) {
        this.cold = cold;
        this.mostCold = mostCold;
        this.adaptive = mostCold > cold;
        words[EPOCH] = 1;
        setCapacity(frames);
    }

    int capacity() {
        return capacity;
    }

    void setCapacity(int frames) {
        capacity = frames;
        ticks = Integer.highestOneBit(Math.max(1, Math.min(MOST_TICKS, leastCold(frames) / TICKS_PER_COLD_FRAMES)));
    }

    /** A page was loaded into a cell, or passed there by the hand of the hot ring. */
    void tick(int cell) {
        int step = ticks;
        if ((cell & step - 1) == 0) {
            add(EPOCH, step);
        }
    }

    /** {@return the sum} */
    long add(int counter, long delta) {
        return (long) WORD.getAndAdd(words, counter, delta) + delta;
    }

    long read(int counter) {
        return (long) WORD.getOpaque(words, counter);
    }

    /** {@return the least number of cold frames if this number of frames is in use} */
    int leastCold(int frames) {
        return part(frames, cold);
    }

    /** {@return the number of cold frames if this number of frames is in use} */
    int coldTarget(int frames) {
        int least = leastCold(frames);
        if (!adaptive) {
            return least;
        }
        return (int) Math.max(least, Math.min(part(frames, mostCold), read(COLD_TARGET)));
    }

    private static int part(int frames, double fraction) {
        return Math.max(1, PolicyParameter.of(frames, fraction));
    }

    /**
     * As CLOCK-Pro does: the cold ring gains a frame for each page that is loaded again in its test period, and loses
     * one for each whose period ends. When a period begins it loses one, since it will most likely end in vain; so a
     * page that returns brings two.
     */
    void adapt(int change) {
        if (adaptive) {
            WORD.setOpaque(words, COLD_TARGET, (long) coldTarget(capacity) + change);
        }
    }
}
