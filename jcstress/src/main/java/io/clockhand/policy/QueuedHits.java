// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/** A door for jcstress to one queue of hits, which is hidden in its room. */
public class QueuedHits {
    private static final int QUEUE = 0;
    private static final int FRAMES = 4;

    private final HitQueues queues = new HitQueues(8);

    public QueuedHits() {
        queues.ensureFrames(FRAMES);
    }

    /** {@return whether this thread became the owner of the queue} */
    public boolean tryOwn() {
        return queues.tryOwn(QUEUE);
    }

    public void disown() {
        queues.disown(QUEUE);
    }

    /** Puts a hit in; for the owner. */
    public final void add(int frame) {
        queues.add(QUEUE, frame);
    }

    /** Puts a hit in, unless another thread owns the queue; {@return whether it did} */
    public final boolean tryAdd(int frame) {
        if (!tryOwn()) {
            return false;
        }
        add(frame);
        disown();
        return true;
    }

    /**
     * Takes all hits out, unless another thread owns the queue; {@return the frames, in order, of those whose content
     * is there still}
     */
    public final String tryReplay() {
        if (!tryOwn()) {
            return "";
        }
        StringBuilder frames = new StringBuilder();
        queues.replay(QUEUE, new Hits(frames));
        disown();
        return frames.toString();
    }

    /** Notes the generation of a content that comes into a frame; for who has claimed it. */
    public void load(int frame, int generation) {
        queues.onLoad(frame, generation);
    }

    private record Hits(StringBuilder frames) implements ReplacementPolicy {
        @Override
        public int weightCap() {
            return 0;
        }

        @Override
        public boolean observesHits() {
            return true;
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public void onHit(int frame) {
            frames.append(frame);
        }

        @Override
        public void onRemove(int frame) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public void onDeclined(int frame) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public void onCapacity(int frames) {
            throw new UnsupportedOperationException("hits only");
        }

        @Override
        public int coldest(int max, IntConsumer sink) {
            return 0;
        }
    }
}
