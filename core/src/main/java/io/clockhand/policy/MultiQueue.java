// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * MQ: eight LRU lists; a page that was used f times is in list ⌊log₂ f⌋, at most the last. On each reference the
 * least recently used page of each list moves down one list if it was not used for as many references as there are
 * frames (the <i>life time</i>). The victim is the last page of the lowest non-empty list. A victim becomes a ghost,
 * with its count, in <i>Qout</i>, which holds half as many pages as there are frames (the paper leaves the number
 * open).
 *
 * <p>As in the paper, the incoming page is looked up in Qout after the victim has been added. Between the two Qout
 * holds one page more, so that adding the victim cannot drop the ghost of the incoming page.
 *
 * <p>A dirty frame is set aside from its queue. Meanwhile it does not expire, so it moves down no queue. When it is
 * clean it is the next victim of its queue; if its life time is over by then, the next reference moves it down. A hit
 * moves it as any other.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: Y. Zhou, J. F. Philbin, K. Li, The Multi-Queue Replacement Algorithm for Second Level Buffer Caches,
 * USENIX ATC 2001, Fig. 4.
 */
final class MultiQueue implements PrefetchablePolicy, SelfChecking {
    private final int count;
    private final double life;
    private final double ghostsPerFrame;
    private final FrameLists queues;
    private final Ghosts out = new Ghosts(0);
    private int mostOut;
    private int lifeTime;
    /** Counts references: the hits and the loads. */
    private long now;
    /** By frame: the page, its use count, when it moves down, and the queue that it was in before it was evicted. */
    private long[] pages = {};

    private int[] uses = {};
    private long[] expires = {};
    private int[] cameFrom = {};
    /** By slot of Qout: the use count of the page. */
    private int[] usesBefore = {};

    /** By default there are eight queues, a life time of as many references as frames, and half as many ghosts. */
    MultiQueue(int frames) {
        this(frames, 8, 1, 0.5);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param queues how many lists there are, the paper's m; the paper has 8
     * @param life the life time in references for each frame; the paper derives it from the references
     * @param ghostsPerFrame the ghosts in Qout for each frame; the paper leaves it open
     */
    MultiQueue(int frames, int queues, double life, double ghostsPerFrame) {
        this.count = queues;
        this.life = life;
        this.ghostsPerFrame = ghostsPerFrame;
        this.queues = new FrameLists(queues);
        onCapacity(frames);
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        int ghost = out.find(identity);
        pages[frame] = identity;
        uses[frame] = 0;
        if (ghost != Ghosts.NONE) {
            uses[frame] = usesBefore[ghost];
            out.remove(ghost);
        }
        out.trim(mostOut);
        use(frame);
    }

    @Override
    public void onHit(int frame) {
        if (queues.remove(frame) != FrameLists.NONE) {
            use(frame);
        }
    }

    @Override
    public int prefetch(int frame) {
        int[] counts = uses;
        return queues.prefetch(frame) + (frame < counts.length ? counts[frame] : 0);
    }

    private void use(int frame) {
        if (uses[frame] < Integer.MAX_VALUE) {
            uses[frame]++;
        }
        queues.addFirst(queueNumber(uses[frame]), frame);
        expires[frame] = now + lifeTime;
        adjust();
    }

    private int queueNumber(int uses) {
        return Math.min(count, Integer.SIZE - Integer.numberOfLeadingZeros(uses)) - 1;
    }

    private void adjust() {
        now++;
        for (int queue = 1; queue < count; queue++) {
            int frame = queues.last(queue);
            if (frame != FrameLists.NONE && expires[frame] < now) {
                queues.remove(frame);
                queues.addFirst(queue - 1, frame);
                expires[frame] = now + lifeTime;
            }
        }
    }

    @Override
    public void onRemove(int frame) {
        if (queues.listOf(frame) != FrameLists.NONE) {
            cameFrom[frame] = queues.remove(frame);
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int victim = FrameLists.NONE;
        for (int queue = 0; queue < count && victim == FrameLists.NONE; queue++) {
            victim = queues.claimLast(queue, claims);
        }
        for (int queue = 0; queue < count && victim == FrameLists.NONE; queue++) {
            victim = queues.claimAside(queue, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = queues.remove(victim);
            usesBefore[out.add(pages[victim])] = uses[victim];
        }
        return victim;
    }

    /** Puts the frame back at the end of its queue, and removes its ghost. */
    @Override
    public void onDeclined(int frame) {
        out.take(pages[frame]);
        queues.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onClean(int frame) {
        queues.restore(frame);
    }

    @Override
    public void onCapacity(int frames) {
        int most = Math.max(1, PolicyParameter.of(frames, ghostsPerFrame));
        if (most >= usesBefore.length) {
            usesBefore = Arrays.copyOf(usesBefore, most + 1);
        }
        queues.ensureFrames(frames);
        if (frames > pages.length) {
            uses = Arrays.copyOf(uses, frames);
            expires = Arrays.copyOf(expires, frames);
            cameFrom = Arrays.copyOf(cameFrom, frames);
            pages = Arrays.copyOf(pages, frames); // last: its length is tested, memory may run out before
        }
        out.limit(most + 1); // after the arrays that have an element for each slot
        lifeTime = Math.max(1, PolicyParameter.of(frames, life));
        mostOut = most;
        out.trim(mostOut);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = 0;
        for (int queue = 0; queue < count; queue++) {
            named += queues.nameLast(queue, max - named, sink);
        }
        return named;
    }

    @Override
    public void checkIntegrity() {
        queues.checkIntegrity();
        out.checkIntegrity();
        for (int frame = 0; frame < pages.length; frame++) {
            int queue = queues.listOf(frame);
            if (queue != FrameLists.NONE && (uses[frame] < 1 || queue > queueNumber(uses[frame]))) {
                throw new IllegalStateException(
                        "frame " + frame + " in queue " + queue + " was used " + uses[frame] + " times");
            }
        }
    }

    @Override
    public void checkGhosts() {
        out.checkNoneIsResident(queues, pages);
    }
}
