// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * Decides which frame leaves when another page or object must come in.
 *
 * <p>A policy knows frames by number only. It is told what happens to them and is asked for a victim; it never does
 * I/O, never sees what a frame holds, and never waits but for its own lock. The same class runs in production, in
 * simulators and in tests.
 *
 * <p>Order of calls for one frame: {@code onLoad}, any number of {@code onHit}, then it leaves by {@code evict} (a
 * claim that succeeded and was not declined) or by {@code onRemove}. {@code onHit} may come from a thread that holds a
 * pin taken before {@code onLoad} was called; it may be ignored.
 *
 * <p>Implementations for {@linkplain Policies production} are thread-safe: either lock-free, or a single-threaded list
 * under a lock.
 */
public interface ReplacementPolicy {
    /** What {@link #evict} returns when no frame can be claimed. */
    int NONE = -1;

    /**
     * The weight at which a hit stops adding to the weight in the frame's state word.
     *
     * @return 0 if the policy keeps no weights there
     */
    int weightCap();

    /**
     * Tells whether {@link #onHit} must be called.
     *
     * @return false if the weight in the state word is all that the policy wants to know of a hit
     */
    boolean observesHits();

    /**
     * A frame has got its content and is pinned by the loading thread; other threads get it after this.
     *
     * @param frame the frame
     * @param identity the page id, or a number made of the key: advisory, it need not be unique
     * @param generation counts the bindings of the frame
     */
    void onLoad(int frame, long identity, int generation);

    /**
     * A frame was found; it is pinned by the calling thread, or shared.
     *
     * @param frame the frame
     */
    void onHit(int frame);

    /**
     * Reads what {@link #onHit} would change, and changes nothing: whoever does so before it takes the lock of a single-threaded policy
     * has the lines in its processor's cache when it has the lock. Any thread may call it at any time, also while another one
     * changes the policy.
     *
     * <p>Source: BP-Wrapper (see {@link Policies}), section III.B.
     *
     * @param frame the frame
     * @return a number made of what was read, which means nothing; the caller uses it, or the compiler would leave out the reads
     */
    default int touch(int frame) {
        return 0;
    }

    /**
     * A claimed frame loses its content for another reason than {@link #evict}.
     *
     * @param frame the frame
     */
    void onRemove(int frame);

    /**
     * A frame became dirty.
     *
     * @param frame the frame
     */
    default void onDirty(int frame) {}

    /**
     * A frame became clean.
     *
     * @param frame the frame
     */
    default void onClean(int frame) {}

    /**
     * Chooses a victim and claims it.
     *
     * @param incomingIdentity the identity that needs a frame: some policies look it up among their ghosts first
     * @param claims how to claim
     * @return a frame that is claimed by the calling thread, or {@link #NONE} if there is none to be had now; when that happens again and again
     *     the pool takes any frame that it can claim, and calls {@link #onRemove}
     */
    int evict(long incomingIdentity, Claims claims);

    /**
     * A victim was given back, because its content is dirty: it stays.
     *
     * @param frame a frame that this thread has claimed as a victim, by {@link #evict} as a rule
     */
    void onDeclined(int frame);

    /**
     * The pool has another number of frames.
     *
     * @param frames frames 0 to {@code frames − 1} exist
     */
    void onCapacity(int frames);

    /**
     * Names frames that are likely to be victims soon, the coldest first, without a change of their order.
     *
     * @param max how many at most
     * @param sink takes the frame numbers; a frame may have been freed or pinned already
     * @return how many were named
     */
    int coldest(int max, IntConsumer sink);
}
