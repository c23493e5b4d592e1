// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Makes one queue of hits, which is package-private, accessible to the stress tests. */
public class QueuedHits {
    private static final int QUEUE = 0;
    private static final int FRAMES = 4;

    private final HitQueues queues = new HitQueues(8);

    public QueuedHits() {
        queues.onCapacity(FRAMES);
    }

    /** {@return whether this thread became the owner of the queue} */
    public boolean tryOwn() {
        return queues.tryOwn(QUEUE);
    }

    public void disown() {
        queues.disown(QUEUE);
    }

    /** Adds a hit. The calling thread owns the queue. */
    public final void add(int frame) {
        queues.add(QUEUE, frame);
    }

    /** Adds a hit unless another thread owns the queue; {@return whether it was added} */
    public final boolean tryAdd(int frame) {
        if (!tryOwn()) {
            return false;
        }
        add(frame);
        disown();
        return true;
    }

    /** Replays all hits unless another thread owns the queue; {@return the frames of those not stale, in order} */
    public final String tryReplay() {
        if (!tryOwn()) {
            return "";
        }
        StringBuilder frames = new StringBuilder();
        queues.replay(QUEUE, new Hits(frames));
        disown();
        return frames.toString();
    }

    /** Sets the generation of a frame. The calling thread has claimed the frame. */
    public void load(int frame, int generation) {
        queues.onLoad(frame, generation);
    }

    private record Hits(StringBuilder frames) implements ReplacementPolicy {
        @Override
        public void onLoad(int frame, long identity, int generation) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public void onHit(int frame) {
            frames.append(frame);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public void onCapacity(int frames) {
            throw new UnsupportedOperationException("hits only");
        }
    }
}
