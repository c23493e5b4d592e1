// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * Chooses the frame that is evicted when another page or object must be loaded. This is the interface to implement
 * for a policy of one's own.
 *
 * <p>A policy knows frames by number only: 0 to one less than the number of frames. The pool calls it on every load,
 * hit and removal, and asks it for a victim on a miss. The same class runs in the page pool, in the object cache, in
 * the simulator and in tests. A whole policy, for one thread at a time:
 *
 * <pre>{@code
 * final class SecondChance implements ReplacementPolicy {
 *     private boolean[] referenced;
 *     private int hand;
 *
 *     SecondChance(int frames) {
 *         referenced = new boolean[frames];
 *     }
 *
 *     @Override
 *     public void onLoad(int frame, long identity, int generation) {
 *         referenced[frame] = false;
 *     }
 *
 *     @Override
 *     public void onHit(int frame) {
 *         referenced[frame] = true;
 *     }
 *
 *     @Override
 *     public int evict(long incomingIdentity, Claims claims) {
 *         for (int step = 0; step < 2 * referenced.length; step++) {
 *             hand = (hand + 1) % referenced.length;
 *             if (!referenced[hand] && claims.tryClaim(hand)) {
 *                 return hand;
 *             }
 *             referenced[hand] = false;
 *         }
 *         return NONE;
 *     }
 *
 *     @Override
 *     public void onCapacity(int frames) {
 *         referenced = Arrays.copyOf(referenced, frames);
 *     }
 * }
 * }</pre>
 *
 * A pool uses it by {@code builder.policy("second-chance", maker)}, where {@code maker} is {@code frames ->
 * Policies.locked(new SecondChance(frames), new ReentrantLock())}.
 *
 * <h2>Order of calls</h2>
 *
 * For one frame: {@code onLoad}, any number of {@code onHit}, then either {@code evict} returns it or {@code onRemove}
 * removes it. {@code onDeclined} takes that back: the frame is as it was before it was evicted or removed.
 *
 * <ul>
 *   <li>Every frame number is less than the capacity that the constructor or {@code onCapacity} has set.
 *   <li>A free frame is loaded without a call of {@code evict}, so a policy must not expect one {@code evict} for each
 *       {@code onLoad}.
 *   <li>A frame that {@code evict} has returned may be loaded, stay free, or be declined.
 *   <li>{@code onHit} may be late: a wrapper that batches hits replays them after other calls, and a thread may have
 *       found the frame before {@code onLoad} was called. A hit on a frame that the policy does not hold has no
 *       effect.
 *   <li>{@code onClean} follows when {@link Claims} has answered {@link Claims.Outcome#DIRTY}, unless the frame was
 *       removed meanwhile. It may come late, when the frame is dirty again or holds another page, and without such an
 *       answer.
 *   <li>{@code onLoad} and {@code onRemove} accept a frame in any state: a call that threw may have left it listed or
 *       unlisted. {@code onLoad} of a listed frame moves it, {@code onRemove} of an unlisted one changes nothing.
 * </ul>
 *
 * <h2>Threads, locks and memory order</h2>
 *
 * Every method but the constructor may be called by many threads at once. A policy is either lock-free itself, or
 * written for one thread and shared by {@link Policies#locked}, {@link Policies#batched} or {@link
 * Policies#buffered}, which call it under a lock.
 *
 * <p>The pool calls {@code onLoad}, {@code onRemove}, {@code evict}, {@code onDeclined} and {@code onClean} without a
 * lock of its own, but the calling thread may hold latches on pages: the policy's lock is the innermost one. {@code
 * onCapacity} alone is called under the lock that serialises growth.
 *
 * <p>The pool orders the calls for one frame: all that happened in {@code onLoad} is visible in {@code onHit} by a
 * thread that found this content; all that a thread did to a frame before its eviction or removal is visible in its
 * next {@code onLoad}. Calls for different frames, and hits on the same frame, are not ordered.
 *
 * <h2>Rules for policies</h2>
 *
 * <ul>
 *   <li>A policy must not wait for anything but its own lock, do I/O, or call the pool.
 *   <li>It must not allocate after it has changed its state, since memory may run out between the two. {@code
 *       onCapacity} is the place to allocate.
 *   <li>In one call of {@code evict} it claims at most one frame, and returns that frame. The first of two would stay
 *       claimed for ever.
 * </ul>
 *
 * <h2>When a policy throws</h2>
 *
 * The exception reaches the caller of the pool. Before that, the pool undoes its own half: no pin, claim or latch is
 * left behind. If {@code evict} throws after it has claimed a frame, the pool ends that claim, and the page stays in
 * the frame; {@code onDeclined} is not called. A policy may have taken the frame off its lists by then. The pool's last
 * resort recovers such frames: when {@code evict} returns {@link #NONE} repeatedly, the pool claims any unused frame
 * and calls {@code onRemove} for it.
 *
 * <p>If {@code onLoad} throws, the page or object stays in its frame, since other threads may wait for it: the next
 * find has it, and an object that was created exists.
 *
 * <p>An exception of {@code onClean} is dropped, since a write that has succeeded must not look like one that failed.
 * So a policy that sets frames aside must try them again when it has no other victim.
 */
public interface ReplacementPolicy {
    /** Returned by {@link #evict} when no frame can be claimed. */
    int NONE = -1;

    /**
     * The weight at which a hit stops adding to the weight in the frame's state word. For policies of the clock
     * family, which let the pin of a hit add the weight and take it off by {@link Claims#ageOrClaim}. A page pool may
     * then take a frame with the last weight without {@code evict}, if a search has met it dirty and it was written
     * since; it calls {@link #onRemove}. Read once, when a pool begins to use the policy.
     *
     * @return 0, the default, if the policy keeps no weights there
     */
    default int weightCap() {
        return 0;
    }

    /**
     * Whether a page pool may read pages ahead of misses that follow each other from page to page. A policy that keeps
     * only a few pages of those that have come once evicts such pages before they are used, and others for them, so it
     * returns false. May be called at any time, by any thread.
     *
     * @return true by default
     */
    default boolean allowsReadAhead() {
        return true;
    }

    /**
     * Whether hits must be recorded by {@link #onHit}. Read once, when a pool begins to use the policy. A policy that
     * returns false has cheaper hits, since nothing is called, and pages can be read optimistically.
     *
     * @return true by default
     */
    default boolean tracksAccesses() {
        return true;
    }

    /**
     * Records that a frame was loaded. The loading thread has pinned the frame, and publishes it afterwards.
     *
     * @param frame the frame
     * @param identity the page id, or a hash of the key: for ghosts, advisory, not necessarily unique
     * @param generation changes whenever the frame is bound to another page or object
     */
    void onLoad(int frame, long identity, int generation);

    /**
     * Records an access. The calling thread has pinned the frame or holds a share of its latch, unless a wrapper
     * replays the hit. Not called if {@link #tracksAccesses} is false. Does nothing by default.
     *
     * @param frame the frame
     */
    default void onHit(int frame) {}

    /**
     * Records that a frame loses its content for another reason than {@link #evict}: its page was truncated, its
     * object removed, the pool shrinks. The calling thread has claimed the frame. A policy with a list of frames
     * takes the frame off it; one that offers every frame of the pool to {@link Claims} needs nothing here, and
     * nothing is the default.
     *
     * @param frame the frame
     */
    default void onRemove(int frame) {}

    /**
     * Chooses a victim and claims it. The frame that is returned is off the policy's lists.
     *
     * @param incomingIdentity the identity to be loaded into the victim. It only advises: the load may fail, or go to
     *     another frame, so a ghost is consumed in {@link #onLoad}
     * @param claims claims a frame
     * @return the frame that was claimed, exactly one; or {@link #NONE}, with nothing claimed, if every frame was
     *     refused
     */
    int evict(long incomingIdentity, Claims claims);

    /**
     * Takes a victim back, because it is dirty or its write-back failed. The frame belongs to the policy again,
     * preferably in the place it had. The calling thread still has the claim.
     *
     * @param frame a frame that {@link #evict} has returned, or {@link #onRemove} has removed, in the calling thread
     */
    default void onDeclined(int frame) {}

    /**
     * Records that a frame, for which {@link Claims} had answered {@link Claims.Outcome#DIRTY}, has been written or is
     * no longer queued for other reasons: it can be claimed as soon as nobody uses it. A policy that has set the frame
     * aside puts it back. Called by the thread that wrote the frame, which may have pinned it still. Does nothing by
     * default.
     *
     * @param frame the frame
     */
    default void onClean(int frame) {}

    /**
     * Sets the number of frames. A cache that may grow past its soft maximum calls it when it grows, before a new
     * frame is used, and when it shrinks, after the last frames have become free. If the policy throws, the pool does
     * not grow.
     *
     * @param frames frames 0 to {@code frames − 1} exist
     */
    void onCapacity(int frames);

    /**
     * Names frames that are likely to be victims soon, the coldest first, without changing their order. A pool
     * asks when the policy is exchanged for another. Names none by default.
     *
     * @param max the greatest number of frames to name
     * @param sink takes the frame numbers; a frame may be free or pinned by then
     * @return the number of frames named
     */
    default int coldest(int max, IntConsumer sink) {
        return 0;
    }
}
