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
 * <p><b>Tokens.</b> {@link ListedFrames} says how a token stands for a listing of a frame. The thread that takes a
 * token from a ring is the only one that may move that frame. It drops the token if it is stale: a page was removed, or
 * its frame claimed without this policy and loaded again. Otherwise it puts it back, passes it on to the other ring, or
 * claims the frame. A frame that is claimed although it was loaded anew since the token was taken is a victim like any
 * other, and its other token is stale from then on. So rings only say in which order frames are tried, and the claim
 * alone decides who owns a frame.
 *
 * <p><b>Full rings.</b> Stale tokens wait in the rings until they are met. Each kind of ring has room for two tokens
 * per frame. A thread that finds no cell in full rings takes tokens out and drops the stale ones until there is one. If
 * they are not full, a stalled thread keeps a cell: then the frame is set aside, and the next search lists it again.
 *
 * <p><b>Dirty and pinned frames.</b> A dirty frame is set aside until it is clean; its token goes, and {@code onClean}
 * makes another. A pinned frame goes back to the end of its ring. A search tries as many frames as are cold, then turns
 * the hot ring at most {@link #WEIGHT_CAP} times and tries each frame that has no weight left, which stays hot if it
 * cannot be claimed; last it tries every frame of the pool. So it ends, and it finds a frame if there is one.
 *
 * <p><b>Shared words</b> besides those of the rings, the frames, the ghosts and the {@link RingCounters}: {@code
 * strays} is set after a frame was set aside for want of a cell, and cleared before the frames are scanned (volatile).
 */
final class TwoRingGclock implements ReplacementPolicy, SelfChecking {
    /** Three hits count. A page is loaded with weight 1, which is none. */
    static final int WEIGHT_CAP = 4;

    private static final int MOST_COLD_RINGS = 4;
    /** So the cold rings together are nearly one queue. */
    private static final int LEAST_PER_COLD_RING = 8;

    private static final int TOKENS_PER_FRAME = 2;
    private static final int GHOSTS_PER_FRAME = 1;
    private static final int TURNS = WEIGHT_CAP;
    /** The cold frames that a search tries before it counts them. */
    private static final int FEW = 8;

    private final RingCounters counters;
    private final ListedFrames frames;
    private final TokenRings hot;
    private final TokenRings cold;
    private volatile StampedGhosts ghosts;
    private volatile boolean strays;

    /** Makes a policy whose cold ring has a twentieth of the frames. */
    TwoRingGclock(int frames) {
        this(frames, new ListedFrames(frames), false);
    }

    /** Makes a policy; if it is adaptive, the share of the cold ring goes from a twentieth to a half. */
    TwoRingGclock(int frames, ListedFrames listed, boolean adaptive) {
        this(frames, listed, new RingCounters(frames, adaptive));
    }

    /** Makes a policy whose cold ring has this share of the frames, or from it to {@code mostCold} if that is more. */
    TwoRingGclock(int frames, double cold, double mostCold) {
        this(frames, new ListedFrames(frames), new RingCounters(frames, cold, mostCold));
    }

    private TwoRingGclock(int frames, ListedFrames listed, RingCounters counters) {
        this.counters = counters;
        this.frames = listed;
        this.hot = new TokenRings(1, (long) TOKENS_PER_FRAME * frames);
        this.cold = new TokenRings(coldRings(counters.coldTarget()), (long) TOKENS_PER_FRAME * frames);
        this.ghosts = new StampedGhosts((long) GHOSTS_PER_FRAME * frames);
        RingRehearsal.run();
    }

    private static int coldRings(int coldFrames) {
        return Integer.highestOneBit(Math.max(1, Math.min(MOST_COLD_RINGS, coldFrames / LEAST_PER_COLD_RING)));
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
        hot.ensureCapacity((long) TOKENS_PER_FRAME * count);
        cold.ensureCapacity((long) TOKENS_PER_FRAME * count);
        if (count > ghosts.capacity()) {
            ghosts = new StampedGhosts((long) GHOSTS_PER_FRAME * count);
        }
        counters.setCapacity(count);
    }

    // --- loads and removals ------------------------------------------------------------------------------------------

    @Override
    public void onLoad(int frame, long identity, int generation) {
        long refetched = ghosts.take(identity, counters.read(RingCounters.EPOCH));
        long before = frames.word(frame);
        int coldTarget = counters.coldTarget();
        int hotTarget = counters.capacity() - coldTarget;
        boolean isHot = false;
        if (refetched > StampedGhosts.NONE && refetched > hotTail()) {
            counters.adapt(2);
            isHot = counters.read(RingCounters.HOT_FRAMES) < hotTarget + coldTarget / 2;
        }
        if (ListedFrames.place(before) == ListedFrames.NONE) {
            isHot |= counters.add(RingCounters.RESIDENTS, 1) <= hotTarget; // the frame was free
        }
        long stamp = counters.read(RingCounters.EPOCH);
        int place = isHot ? ListedFrames.HOT : ListedFrames.COLD;
        // the ring that has lost a token gets one, so that all stay about as long
        int ring =
                ListedFrames.place(before) == ListedFrames.EVICTED ? ListedFrames.note(before) : counters.turn(stamp);
        list(frame, identity, stamp, place, ring);
    }

    private void list(int frame, long page, long stamp, int place, int ring) {
        int hotBefore = ListedFrames.hotFrames(frames.list(frame, page, stamp, place));
        int hotNow = place == ListedFrames.HOT ? 1 : 0;
        if (hotNow != hotBefore) {
            counters.add(RingCounters.HOT_FRAMES, hotNow - hotBefore);
        }
        offer(ListedFrames.token(frame, frames.word(frame)), place, ring);
    }

    @Override
    public void onRemove(int frame) {
        if (ListedFrames.place(frames.word(frame)) != ListedFrames.NONE) {
            counters.add(RingCounters.RESIDENTS, -1);
            unlist(frame, false, ListedFrames.NONE, 0);
        }
    }

    /** The page leaves: it is remembered if it is in its test period. */
    private void unlist(int frame, boolean hasToken, int place, int note) {
        long before = frames.unlist(frame, hasToken, place, note);
        if (ListedFrames.hotFrames(before) != 0) {
            counters.add(RingCounters.HOT_FRAMES, -1);
        }
        long stamp = frames.stamp(frame);
        if (ListedFrames.isListed(before) && stamp > hotTail()) {
            ghosts.put(frames.page(frame), stamp, counters.read(RingCounters.EPOCH));
            counters.adapt(-1);
        }
    }

    @Override
    public void onDeclined(int frame) {
        long page = frames.page(frame);
        ghosts.take(page, counters.read(RingCounters.EPOCH));
        if (ListedFrames.place(frames.word(frame)) == ListedFrames.NONE) {
            counters.add(RingCounters.RESIDENTS, 1);
        }
        list(frame, page, frames.stamp(frame), ListedFrames.COLD, cold.shortest());
    }

    @Override
    public void onClean(int frame) {
        VarHandle.fullFence(); // the frame is clean before its place is read; pairs with the fence in tryClaim
        long word = frames.word(frame);
        long token = ListedFrames.token(frame, word);
        if (ListedFrames.place(word) == ListedFrames.ASIDE
                && frames.move(token, ListedFrames.ASIDE, ListedFrames.COLD)) {
            offer(token, ListedFrames.COLD, cold.shortest());
        }
    }

    // --- rings -------------------------------------------------------------------------------------------------------

    private TokenRings rings(int place) {
        return place == ListedFrames.HOT ? hot : cold;
    }

    /** Adds a token. If the rings are full, stale ones leave them; if that is not enough, the frame is set aside. */
    private void offer(long token, int place, int ring) {
        TokenRings rings = rings(place);
        int first = place == ListedFrames.HOT ? rings.number() - 1 : ring;
        long position = rings.offer(first, token);
        if (position == TokenRings.NONE) {
            offerToFull(token, place, first);
        } else {
            counters.tick(position);
        }
    }

    private void offerToFull(long token, int place, int first) {
        TokenRings rings = rings(place);
        long held = token;
        for (int steps = 2 * rings.length(); steps > 0 && rings.areFull(); steps--) {
            long other = rings.poll(first);
            boolean added = rings.offer(first, held) != TokenRings.NONE;
            boolean hasOther = other != TokenRings.NONE && frames.isIn(other, place);
            if (added && !hasOther) {
                return;
            }
            if (!added && hasOther) {
                setAside(held, place);
            }
            if (hasOther) {
                held = other;
            }
        }
        if (rings.offer(first, held) == TokenRings.NONE) {
            setAside(held, place);
        }
    }

    /** There is no cell for the token. */
    private void setAside(long token, int place) {
        if (frames.move(token, place, ListedFrames.ASIDE)) {
            if (place == ListedFrames.HOT) {
                counters.add(RingCounters.HOT_FRAMES, -1);
            }
            strays = true;
        }
    }

    private void listStrays() {
        strays = false;
        VarHandle.fullFence(); // before the places are read
        for (int frame = 0, count = counters.capacity(); frame < count; frame++) {
            onClean(frame);
        }
    }

    /** {@return the stamp of the oldest hot page, or −1} Stale tokens on the way are dropped. */
    private long hotTail() {
        for (long token = hot.peek(); token != TokenRings.NONE; token = hot.peek()) {
            if (frames.isIn(token, ListedFrames.HOT)) {
                return frames.stamp(ListedFrames.frame(token));
            }
            hot.pollIf(token);
        }
        return -1;
    }

    // --- the search for a victim -------------------------------------------------------------------------------------

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        if (strays) {
            listStrays();
        }
        long now = counters.read(RingCounters.EPOCH);
        int ring = counters.turn(now) + (int) Thread.currentThread().getId();
        long refetched = ghosts.find(incomingIdentity, now);
        if (refetched > StampedGhosts.NONE && refetched > hotTail()) {
            makeRoom(refetched, claims);
        }
        int victim = claimCold(claims, ring, FEW);
        if (victim == NONE) {
            victim = claimCold(claims, ring, cold.length());
        }
        if (victim == NONE) {
            victim = claimHot(claims, ring);
        }
        return victim != NONE ? victim : claimAny(claims, ring);
    }

    /** Demotes hot frames until one can be added, unless all hot pages were seen after {@code stamp}. */
    private void makeRoom(long stamp, Claims claims) {
        int target = counters.capacity() - counters.coldTarget();
        for (int steps = hot.length(); steps > 0 && counters.read(RingCounters.HOT_FRAMES) >= target; steps--) {
            long token = hot.peek();
            if (token == TokenRings.NONE) {
                return;
            }
            boolean stale = !frames.isIn(token, ListedFrames.HOT);
            if (!stale && frames.stamp(ListedFrames.frame(token)) > stamp) {
                return;
            }
            if (hot.pollIf(token) && !stale && tryDemote(token, claims)) {
                offer(token, ListedFrames.COLD, cold.shortest());
            }
        }
    }

    /**
     * Gives a hot frame its second chance, or makes it cold; the calling thread has its token.
     *
     * @return whether the frame is cold, and the calling thread still has the token
     */
    private boolean tryDemote(long token, Claims claims) {
        int frame = ListedFrames.frame(token);
        if (claims.age(frame) != Claims.Outcome.SPENT) {
            if (frames.isIn(token, ListedFrames.HOT)) {
                frames.setStamp(frame, counters.read(RingCounters.EPOCH));
                offer(token, ListedFrames.HOT, 0);
            }
            return false;
        }
        if (!frames.move(token, ListedFrames.HOT, ListedFrames.COLD)) {
            return false;
        }
        counters.add(RingCounters.HOT_FRAMES, -1);
        return true;
    }

    /** Tries as many cold frames. A ring from which no token can be had gets none either. */
    private int claimCold(Claims claims, int first, int most) {
        int ring = first;
        int empty = 0;
        for (int steps = most; steps > 0 && empty < cold.number(); ring++) {
            long token = cold.pollOne(ring);
            if (token == TokenRings.NONE) {
                empty++;
                continue;
            }
            empty = 0;
            steps--;
            if (frames.isIn(token, ListedFrames.COLD) && tryClaim(token, claims, ring)) {
                return ListedFrames.frame(token);
            }
        }
        return NONE;
    }

    /** No cold frame could be claimed: turns the hot ring. A frame that cannot be claimed stays hot. */
    private int claimHot(Claims claims, int ring) {
        int vain = 0; // since a frame has lost weight
        for (int steps = TURNS * hot.length(); steps > 0 && vain <= hot.length(); steps--) {
            long token = hot.poll(0);
            if (token == TokenRings.NONE) {
                return NONE;
            }
            if (!frames.isIn(token, ListedFrames.HOT)) {
                continue;
            }
            int frame = ListedFrames.frame(token);
            Claims.Outcome outcome = claims.age(frame);
            if (outcome == Claims.Outcome.SPENT && claims.claim(frame) == Claims.Outcome.CLAIMED) {
                onEvicted(frame, frames.isIn(token, ListedFrames.HOT), ring);
                return frame;
            }
            vain++;
            if (outcome == Claims.Outcome.AGED) {
                vain = 0;
                frames.setStamp(frame, counters.read(RingCounters.EPOCH));
            }
            offer(token, ListedFrames.HOT, 0);
        }
        return NONE;
    }

    /** Tries all frames: some may be aside although they are clean, others hidden by a thread that stalls. */
    private int claimAny(Claims claims, int ring) {
        for (int frame = 0, count = counters.capacity(); frame < count; frame++) {
            if (claims.claim(frame) == Claims.Outcome.CLAIMED) {
                onEvicted(frame, false, ring);
                return frame;
            }
        }
        return NONE;
    }

    /** Claims a cold frame, or puts its token back, or sets the frame aside until it is clean. */
    private boolean tryClaim(long token, Claims claims, int ring) {
        int frame = ListedFrames.frame(token);
        Claims.Outcome outcome = claims.claim(frame);
        if (outcome == Claims.Outcome.DIRTY) {
            if (!frames.move(token, ListedFrames.COLD, ListedFrames.ASIDE)) {
                return false;
            }
            VarHandle.fullFence(); // pairs with the fence in onClean
            outcome = claims.claim(frame); // again: the notice may have come before the frame was aside
            if (outcome == Claims.Outcome.DIRTY) {
                return false;
            }
            if (outcome != Claims.Outcome.CLAIMED && !frames.move(token, ListedFrames.ASIDE, ListedFrames.COLD)) {
                return false;
            }
        }
        if (outcome == Claims.Outcome.CLAIMED) {
            onEvicted(frame, frames.isIn(token, ListedFrames.COLD), ring);
            return true;
        }
        offer(token, ListedFrames.COLD, ring);
        return false;
    }

    private void onEvicted(int frame, boolean hasToken, int ring) {
        if (ListedFrames.place(frames.word(frame)) == ListedFrames.NONE) {
            counters.add(RingCounters.RESIDENTS, 1); // an earlier call threw
        }
        unlist(frame, hasToken, ListedFrames.EVICTED, ring & cold.number() - 1);
    }

    // --- for the flusher, and for tests ------------------------------------------------------------------------------

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = name(cold, ListedFrames.COLD, max, sink);
        return named + name(hot, ListedFrames.HOT, max - named, sink);
    }

    private int name(TokenRings rings, int place, int max, IntConsumer sink) {
        int named = 0;
        int longest = rings.longest();
        for (int offset = 0; offset < longest && named < max; offset++) {
            for (int ring = 0, number = rings.number(); ring < number && named < max; ring++) {
                long token = rings.peek(ring, offset);
                int frame = ListedFrames.frame(token);
                if (token != TokenRings.NONE && frame < counters.capacity() && frames.isIn(token, place)) {
                    sink.accept(frame);
                    named++;
                }
            }
        }
        return named;
    }

    /** Each listed frame has one token, in the ring that its word names; those aside have none. */
    @Override
    public void checkIntegrity() {
        int[] tokens = new int[counters.capacity()];
        coldest(Integer.MAX_VALUE, frame -> tokens[frame]++);
        int inHot = 0;
        for (int frame = 0; frame < tokens.length; frame++) {
            int place = ListedFrames.place(frames.word(frame));
            int expected = place == ListedFrames.HOT || place == ListedFrames.COLD ? 1 : 0;
            if (tokens[frame] != expected) {
                throw new IllegalStateException(
                        "frame " + frame + ", in place " + place + ", has " + tokens[frame] + " tokens");
            }
            inHot += place == ListedFrames.HOT ? 1 : 0;
        }
        long counted = counters.read(RingCounters.HOT_FRAMES);
        if (inHot != counted) {
            throw new IllegalStateException(inHot + " hot frames, but " + counted + " are counted");
        }
    }
}
