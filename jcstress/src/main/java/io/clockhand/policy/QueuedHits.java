// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Makes one queue of hits, which is package-private, accessible to the stress tests. */
public final class QueuedHits {
    private static final int QUEUE = 0;
    private static final int FRAMES = 3;

    private final HitQueues queues = new HitQueues(8);

    public QueuedHits() {
        queues.onCapacity(FRAMES);
    }

    /** Adds a hit unless another thread owns the queue; {@return whether it was added} */
    public boolean tryAdd(int frame) {
        if (!queues.tryOwn(QUEUE)) {
            return false;
        }
        queues.add(QUEUE, frame);
        queues.disown(QUEUE);
        return true;
    }

    /** Replays all hits unless another thread owns the queue; {@return their frames, in order} */
    public String tryReplay() {
        if (!queues.tryOwn(QUEUE)) {
            return "";
        }
        StringBuilder frames = new StringBuilder();
        queues.replay(QUEUE, new Hits(frames));
        queues.disown(QUEUE);
        return frames.toString();
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
