// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;

/**
 * 2R-GCLOCK: two rings of frames and a table of ghosts. No lock is held anywhere.
 *
 * <p>Pages enter the small <i>cold</i> ring and leave it in the order in which they came, whatever was hit meanwhile. A
 * page that is loaded again within its <i>test period</i> (it was loaded last after the oldest hot page was loaded or
 * had its last second chance) enters the <i>hot</i> ring: its reuse distance is less than the age of that page. To make
 * room, the hot ring turns as GCLOCK does: a frame with weight loses one and goes round again with a new stamp; one
 * without is demoted to the cold ring with its old stamp, so it is out of its test period.
 *
 * <p><b>A hit</b> changes the frame's state word only: its pin adds one to the weight, up to a cap. A hit in the cold
 * ring adds, too, at most three times; nothing reads that weight, and the next load begins with weight 1. So hits need
 * not know of the rings, and are those of {@link NbGclock}.
 *
 * <p><b>Cells.</b> Each ring is a clock: frames stay in their {@link FrameCells}, and a hand passes them. A frame is in
 * a ring if its word in {@link ListedFrames} names a cell, and that cell has the frame; the word alone decides. A page
 * that replaces a cold page takes over its frame, and so its cell: such a miss changes no word of the rings but the
 * frame's own, and the hand once for several cells. A page that becomes hot brings the demoted one to the cold ring:
 * their frames exchange their cells.
 *
 * <p>A cell is filled by CAS, and emptied or filled anew only by the one thread that is responsible for it: the thread
 * whose change of the frame's word made the word name the cell no more, or the owner of a frame that is not listed and
 * keeps its cell. Therefore no frame is lost, none is in two rings, and nothing stale stays in a ring. The hands only
 * say in which order frames are tried, and the claim alone decides who owns a frame.
 *
 * <p><b>Dirty and pinned frames</b> stay in their cells, and the hand passes them. A dirty cold frame is marked in its
 * cell, so that searches need not look at it again; {@code onClean} takes the mark off. A search that has marked a
 * frame tries to claim it again, since the notice may have come before the mark. A thread that lists a frame that was
 * aside takes the mark off, since the notice may have come before the frame's word named the cell. A search passes each
 * cold cell once, then turns the hot ring at most {@link #WEIGHT_CAP} times and tries each frame that has no weight
 * left; last it tries every frame of the pool. So it ends, and it finds a frame if there is one.
 *
 * <p><b>Shared words</b> besides those of the rings, the frames, the ghosts and the {@link RingCounters}: {@code
 * strays} is set after a frame was left without a cell, and cleared before the frames are scanned (volatile).
 */
final class TwoRingGclock implements ReplacementPolicy, SelfChecking {
    /** Three hits count. A page is loaded with weight 1, which is none. */
    static final int WEIGHT_CAP = 4;

    private static final int NO_CELL = FrameCells.NONE;
    private static final int HOT = ListedFrames.HOT;
    private static final int COLD = ListedFrames.COLD;
    private static final int ASIDE = ListedFrames.ASIDE;
    private static final int TURNS = WEIGHT_CAP;

    private final RingCounters counters;
    private final ListedFrames frames;
    private final FrameCells hot;
    private final FrameCells cold;
    private final RangedHand coldHand;
    private volatile StampedGhosts ghosts;
    private volatile boolean strays;

    /** Makes a policy whose cold ring has a twentieth of the frames. */
    TwoRingGclock(int frames) {
        this(frames, new ListedFrames(frames), new RingCounters(frames, false));
    }

    /**
     * Makes a policy whose cold ring has this fraction of the frames, or from it to {@code mostCold} if that is more.
     */
    TwoRingGclock(int frames, double cold, double mostCold) {
        this(frames, new ListedFrames(frames), new RingCounters(frames, cold, mostCold));
    }

    TwoRingGclock(int frames, ListedFrames listed, RingCounters counters) {
        this.counters = counters;
        this.frames = listed;
        this.hot = new FrameCells(frames);
        this.cold = new FrameCells(frames);
        this.coldHand = new RangedHand(cold, counters.leastCold(frames));
        this.ghosts = new StampedGhosts(frames);
    }

    @Override
    public int weightCap() {
        return WEIGHT_CAP;
    }

    @Override
    public boolean tracksAccesses() {
        return false;
    }

    @Override
    public void onCapacity(int count) {
        frames.ensureFrames(count);
        hot.ensureFrames(count);
        cold.ensureFrames(count);
        if (count > ghosts.capacity()) {
            ghosts = new StampedGhosts(count);
        }
        boolean shrinks = count < counters.capacity();
        counters.setCapacity(count);
        coldHand.setFrames(counters.leastCold(count));
        for (int frame = count, end = frames.count(); shrinks && frame < end; frame++) {
            retire(frame);
        }
    }

    /**
     * Takes the cell of a frame that is not used any more. It may still have one: the pool may have evicted its page,
     * and not loaded another one.
     */
    private void retire(int frame) {
        onRemove(frame);
        long word = frames.word(frame);
        if (!ListedFrames.isListed(word)) {
            dropCell(word);
            frames.keep(frame, ListedFrames.NO_RING, 0);
        }
    }

    // --- loads and removals ------------------------------------------------------------------------------------------

    @Override
    public void onLoad(int frame, long identity, int generation) {
        long word = endListing(frame);
        int capacity = counters.capacity();
        int coldTarget = counters.coldTarget(capacity);
        int hotTarget = capacity - coldTarget;
        boolean isHot = false;
        long page = StampedGhosts.hash(identity);
        boolean isKnown = ListedFrames.isResident(word) && frames.incoming(frame) == page;
        if (!isKnown || ListedFrames.isRefetched(word)) {
            long refetched = ghosts.take(page, counters.read(RingCounters.EPOCH));
            if (refetched > hotTail()) {
                counters.adapt(2);
                int own = ListedFrames.ring(word) == HOT ? 1 : 0; // a hot victim's cell counts until it is listed anew
                isHot = counters.read(RingCounters.HOT_FRAMES) - own < hotTarget + coldTarget / 2;
            }
        }
        if (!ListedFrames.isResident(word)) {
            isHot |= counters.add(RingCounters.RESIDENTS, 1) <= hotTarget; // the frame was free
        }
        list(frame, word, page, counters.read(RingCounters.EPOCH), isHot ? HOT : COLD);
    }

    /** {@return the word of a frame that is not listed} An earlier call threw if it was. */
    private long endListing(int frame) {
        long word = frames.word(frame);
        if (ListedFrames.isListed(word)) {
            frames.unlist(frame, false);
            word = frames.word(frame);
        }
        return word;
    }

    /** Lists a frame, which is not listed and has this word: in the cell that it keeps, if that is one of this ring. */
    private void list(int frame, long word, long page, long stamp, int ring) {
        frames.setPage(frame, page, stamp);
        FrameCells cells = ring == HOT ? hot : cold;
        int cell;
        if (ListedFrames.ring(word) == ring) {
            cell = ListedFrames.cell(word);
            if (cells.unmarked(cell) == FrameCells.NONE) {
                cells.set(cell, frame);
            }
        } else {
            dropCell(word);
            cell = cells.put(frame, ring == HOT ? hot.hand() : coldHand.position());
            if (cell == NO_CELL) {
                frames.list(frame, ASIDE, 0);
                strays = true;
                return;
            }
            if (ring == HOT) {
                counters.add(RingCounters.HOT_FRAMES, 1);
            }
        }
        frames.list(frame, ring, cell);
        counters.tick(cell);
    }

    /** Empties the cell that a frame keeps, which is not listed and has this word. */
    private void dropCell(long word) {
        int ring = ListedFrames.ring(word);
        if (ring == HOT) {
            hot.clear(ListedFrames.cell(word));
            counters.add(RingCounters.HOT_FRAMES, -1);
        } else if (ring == COLD) {
            cold.clear(ListedFrames.cell(word));
        }
    }

    @Override
    public void onRemove(int frame) {
        if (ListedFrames.isResident(frames.word(frame))) {
            counters.add(RingCounters.RESIDENTS, -1);
            long before = unlist(frame, true);
            if (ListedFrames.ring(before) == HOT) { // a cold cell stays with the frame: the pool may load it at once
                dropCell(before);
                frames.keep(frame, ListedFrames.NO_RING, 0);
            }
        }
    }

    /** The page leaves: it is remembered if it is in its test period. {@return the word before} */
    private long unlist(int frame, boolean removed) {
        long before = frames.unlist(frame, removed);
        if (ListedFrames.isListed(before) && frames.stamp(frame) > hotTail()) {
            remember(frame);
        }
        return before;
    }

    private void remember(int frame) {
        ghosts.put(frames.page(frame), frames.stamp(frame));
        counters.adapt(-1);
    }

    @Override
    public void onDeclined(int frame) {
        long word = endListing(frame);
        long page = frames.page(frame);
        ghosts.take(page, counters.read(RingCounters.EPOCH));
        if (!ListedFrames.isResident(word)) {
            counters.add(RingCounters.RESIDENTS, 1);
        }
        list(frame, word, page, frames.stamp(frame), COLD);
    }

    @Override
    public void onClean(int frame) {
        VarHandle.fullFence(); // the frame is clean before word and mark are read; see tryClaim and tryListCold
        long word = frames.word(frame);
        if (word == ListedFrames.listed(ASIDE, 0)) {
            findCell(frame);
        } else if (ListedFrames.ring(word) == COLD) {
            cold.unmark(ListedFrames.cell(word), frame);
        }
    }

    /** Gives a frame that is aside a cold cell. */
    private void findCell(int frame) {
        int cell = cold.put(frame, coldHand.position());
        if (cell == NO_CELL) {
            strays = true;
        } else if (!tryListCold(frame, cell)) {
            cold.clear(cell);
        }
    }

    /**
     * Lists a frame that is aside in a cold cell, for which the calling thread is responsible and in which the frame
     * is. A late search may have marked it there before its word names the cell; an {@code onClean} that came then has
     * not found the mark. So the mark is taken off: the next search marks the frame again if it is dirty.
     *
     * @return false if the frame is not aside any more
     */
    private boolean tryListCold(int frame, int cell) {
        if (!frames.cas(frame, ListedFrames.listed(ASIDE, 0), ListedFrames.listed(COLD, cell))) {
            return false;
        }
        VarHandle.fullFence(); // the word before the mark is read; pairs with the fences in onClean and tryClaim
        cold.unmark(cell, frame);
        return true;
    }

    private void listStrays() {
        strays = false;
        VarHandle.fullFence(); // before the words are read
        for (int frame = 0, count = counters.capacity(); frame < count; frame++) {
            onClean(frame);
        }
    }

    /** {@return the stamp of the oldest hot page, or −1} The hand passes empty cells on the way. */
    private long hotTail() {
        if (counters.read(RingCounters.HOT_FRAMES) > 0) {
            for (int steps = hot.end(); steps > 0; steps--) {
                int cell = hot.hand();
                int frame = hot.frame(cell);
                if (frame != FrameCells.NONE && frames.isIn(frame, HOT, cell)) {
                    return frames.stamp(frame);
                }
                hot.tryAdvance(cell, cell + 1);
            }
        }
        return -1;
    }

    // --- the search for a victim -------------------------------------------------------------------------------------

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        if (strays) {
            listStrays();
        }
        long incoming = StampedGhosts.hash(incomingIdentity);
        long tail = hotTail();
        long refetched = ghosts.find(incoming, counters.read(RingCounters.EPOCH));
        boolean returns = refetched > tail; // so it is a ghost
        int demoted = NO_CELL;
        if (returns) {
            demoted = makeRoom(refetched, claims);
            tail = hotTail();
        }
        int victim = NONE;
        try {
            victim = search(claims, tail);
            if (victim != NONE) {
                frames.evictedFor(victim, incoming, refetched != StampedGhosts.NONE);
            }
        } finally { // also if a claim throws: the demoted frame needs a cell
            if (demoted != NO_CELL) {
                exchange(victim, demoted);
            }
        }
        return victim;
    }

    private int search(Claims claims, long tail) {
        int victim = evictCold(claims, tail);
        if (victim == NONE) {
            victim = claimHot(claims);
            if (victim == NONE) {
                victim = claimAny(claims);
            }
            if (victim != NONE) {
                countUnknown(unlist(victim, false));
            }
        }
        return victim;
    }

    /**
     * Demotes hot frames until one can be added, unless all hot pages were seen after {@code stamp}.
     *
     * @return the hot cell of a frame that is aside now, for which the calling thread is responsible; or NO_CELL
     */
    private int makeRoom(long stamp, Claims claims) {
        int capacity = counters.capacity();
        int target = capacity - counters.coldTarget(capacity);
        int demoted = NO_CELL;
        for (int steps = hot.end(); steps > 0; steps--) {
            int pending = demoted == NO_CELL ? 0 : 1;
            int cell = hot.hand();
            int frame = hot.frame(cell);
            boolean listed = frame != FrameCells.NONE && frames.isIn(frame, HOT, cell);
            if (counters.read(RingCounters.HOT_FRAMES) - pending < target || (listed && frames.stamp(frame) > stamp)) {
                break;
            }
            if (hot.tryAdvance(cell, cell + 1) && listed && tryDemote(frame, cell, claims)) {
                if (demoted != NO_CELL) {
                    exchange(NONE, demoted);
                }
                demoted = cell;
            }
        }
        return demoted;
    }

    /** Gives a hot frame its second chance, or sets it aside: then the calling thread is responsible for its cell. */
    private boolean tryDemote(int frame, int cell, Claims claims) {
        if (claims.age(frame) == Claims.Outcome.SPENT) {
            return frames.cas(frame, ListedFrames.listed(HOT, cell), ListedFrames.listed(ASIDE, 0));
        }
        restamp(frame, cell);
        return false;
    }

    private void restamp(int frame, int cell) {
        frames.setStamp(frame, counters.read(RingCounters.EPOCH));
        counters.tick(cell);
    }

    /** A victim takes over the hot cell of a demoted frame, which goes into the cold cell of the victim. */
    private void exchange(int victim, int hotCell) {
        int demoted = hot.frame(hotCell);
        long word = victim == NONE ? 0 : frames.word(victim);
        if (ListedFrames.ring(word) == COLD) {
            int cell = ListedFrames.cell(word);
            cold.set(cell, demoted);
            if (tryListCold(demoted, cell)) {
                hot.set(hotCell, victim);
                frames.keep(victim, HOT, hotCell);
                return;
            }
            cold.set(cell, victim); // the demoted page was removed, or has a cell by now
        }
        hot.clear(hotCell);
        counters.add(RingCounters.HOT_FRAMES, -1);
        if (frames.word(demoted) == ListedFrames.listed(ASIDE, 0)) {
            findCell(demoted);
        }
    }

    private int evictCold(Claims claims, long tail) {
        int steps = cold.end();
        if (steps == 0) {
            return NONE;
        }
        int cell = coldHand.begin();
        int victim = tryEvict(cell, claims, tail);
        while (victim == NONE && --steps > 0) {
            cell = coldHand.next(cell);
            victim = tryEvict(cell, claims, tail);
        }
        coldHand.end(cell);
        return victim;
    }

    /** Evicts the page in a cold cell, or the one loaded there since; {@return its frame, claimed; or NONE} */
    private int tryEvict(int cell, Claims claims, long tail) {
        int frame = cold.unmarked(cell);
        if (frame == FrameCells.NONE || !frames.isIn(frame, COLD, cell)) {
            return NONE;
        }
        if (!tryClaim(frame, cell, claims)) {
            return NONE;
        }
        long before = frames.unlist(frame, false);
        if (!ListedFrames.isListed(before)) {
            countUnknown(before);
        } else if (frames.stamp(frame) > tail) {
            remember(frame);
        }
        return frame;
    }

    /** An earlier call threw if the frame of a victim was not counted. */
    private void countUnknown(long word) {
        if (!ListedFrames.isResident(word)) {
            counters.add(RingCounters.RESIDENTS, 1);
        }
    }

    /** Claims the frame in a cold cell. If it is dirty, it is marked until it is clean. */
    private boolean tryClaim(int frame, int cell, Claims claims) {
        Claims.Outcome outcome = claims.claim(frame);
        if (outcome == Claims.Outcome.DIRTY && cold.tryMark(cell, frame)) {
            VarHandle.fullFence(); // pairs with the fences in onClean and tryListCold
            outcome = claims.claim(frame); // again: the notice may have come before the mark
            if (outcome != Claims.Outcome.DIRTY) {
                cold.unmark(cell, frame);
            }
        }
        return outcome == Claims.Outcome.CLAIMED;
    }

    /** No cold frame could be claimed: turns the hot ring. A frame that cannot be claimed stays hot. */
    private int claimHot(Claims claims) {
        int end = hot.end();
        int vain = 0; // since a frame has lost weight
        for (long steps = (long) TURNS * end; steps > 0 && vain <= end; steps--) {
            int cell = hot.hand();
            int frame = hot.frame(cell);
            vain++;
            if (!hot.tryAdvance(cell, cell + 1) || frame == FrameCells.NONE || !frames.isIn(frame, HOT, cell)) {
                continue;
            }
            Claims.Outcome outcome = claims.age(frame);
            if (outcome == Claims.Outcome.SPENT && claims.claim(frame) == Claims.Outcome.CLAIMED) {
                return frame;
            }
            if (outcome == Claims.Outcome.AGED) {
                vain = 0;
                restamp(frame, cell);
            }
        }
        return NONE;
    }

    /** Tries all frames: some may be marked although they are clean, or be hidden by a thread that stalls. */
    private int claimAny(Claims claims) {
        for (int frame = 0, count = counters.capacity(); frame < count; frame++) {
            if (claims.claim(frame) == Claims.Outcome.CLAIMED) {
                return frame;
            }
        }
        return NONE;
    }

    // --- for a switch of the policy, and for tests -------------------------------------------------------------------

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = name(cold, COLD, coldHand.oldest(), max, sink);
        return named + name(hot, HOT, hot.hand(), max - named, sink);
    }

    private int name(FrameCells cells, int ring, int first, int max, IntConsumer sink) {
        int named = 0;
        int end = cells.end();
        int cell = first;
        for (int steps = end; steps > 0 && named < max; steps--, cell++) {
            cell = cell < end ? cell : 0;
            int frame = cells.frame(cell);
            if (frame != FrameCells.NONE && frame < counters.capacity() && frames.isIn(frame, ring, cell)) {
                sink.accept(frame);
                named++;
            }
        }
        return named;
    }

    /** {@return whether a search that passes all cells tries to claim the frame} For tests. */
    boolean isTried(int frame) {
        long word = frames.word(frame);
        int ring = ListedFrames.ring(word);
        return ListedFrames.isListed(word)
                && (ring == HOT || (ring == COLD && cold.unmarked(ListedFrames.cell(word)) == frame));
    }

    /** {@return whether a page is remembered} For tests. */
    boolean isGhost(long identity) {
        return ghosts.find(StampedGhosts.hash(identity), counters.read(RingCounters.EPOCH)) != StampedGhosts.NONE;
    }

    @Override
    public void checkIntegrity() {
        RingIntegrity.check(frames, hot, cold, counters.read(RingCounters.HOT_FRAMES));
    }
}
