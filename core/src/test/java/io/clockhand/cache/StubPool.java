// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.VictimSearch;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.NodeTable;
import io.clockhand.policy.ReplacementPolicy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/**
 * The frames of a cache, and the miss that brings objects into them, step by step: the object of a frame is the frame's
 * number, and its key is mapped by a {@link StubBinding}.
 */
public final class StubPool {
    /** The miss of the calling thread, and the entry that it has bound. */
    private static final ThreadLocal<StubBinding> BINDING = new ThreadLocal<>();

    private static final ThreadLocal<Entry<Long, Integer>> COMING = new ThreadLocal<>();

    /** The steps of the frames. */
    public final FramePool frames;
    /** The frames that wait to be written back. */
    public final WriteBackQueue queue;
    /** What is counted. */
    public final VictimSearch search;

    private final StubContents stub;
    private final Bindings<Long, Integer> bindings;
    private final HolderContents<Long, Integer, RuntimeException> contents;
    private final HolderSearch<Long, Integer, RuntimeException> holderSearch;
    private final Map<Integer, Miss<Long, Integer, RuntimeException>> misses = new ConcurrentHashMap<>();

    /** Creates a pool whose frames are all free. */
    public StubPool(PoolOptions options, ReplacementPolicy policy, StubContents stub) {
        this(options, policy, stub, options.softFrames());
    }

    /** Creates a pool of whose frames only some can be bound to a key, until {@link #letFramesBeBound}. */
    public StubPool(PoolOptions options, ReplacementPolicy policy, StubContents stub, int bound) {
        this.stub = stub;
        this.bindings = new Bindings<>(bound);
        FrameArray<Integer> holders = new FrameArray<>(options.softFrames());
        IntConsumer onFrames = count -> {
            bindings.ensureFrames(count);
            holders.ensureFrames(count);
        };
        this.frames = FramePool.ofObjects(options, policy, onFrames, frame -> "content " + frame);
        this.queue = new WriteBackQueue(frames);
        this.search = new VictimSearch(frames, queue, options, nanos -> {});
        search.collect(true);
        this.contents =
                new HolderContents<>(frames, new Lifecycle(), new Table(), bindings, holders, options.softFrames());
        this.holderSearch = new HolderSearch<>(contents, queue, search, options);
    }

    /** There is room for the keys of all frames from now on. */
    public void letFramesBeBound() {
        bindings.ensureFrames(frames.frames());
    }

    // --- the miss ----------------------------------------------------------------------------------------------------

    /** {@return a frame for the key, pinned, empty and mapped; or LOST} */
    public int admit(long identity, StubBinding by) {
        Miss<Long, Integer, RuntimeException> miss = new Miss<>(contents, identity, identity, null, null);
        BINDING.set(by);
        try {
            int frame = holderSearch.take(identity, identity);
            if (frame >= 0) {
                frame = contents.map(frame, miss);
            }
            if (frame >= 0) {
                misses.put(frame, miss);
            }
            return frame;
        } finally {
            BINDING.remove();
            COMING.remove();
        }
    }

    /** The object of an admitted frame is loaded. */
    public void publish(int frame, long identity, boolean share) {
        contents.bindings.get(frame).holder = frame;
        contents.holders.set(frame, frame);
        frames.publish(frame, identity, share);
    }

    /** Gives up an admitted frame. */
    public void giveUp(int frame, StubBinding by) {
        BINDING.set(by);
        COMING.set(contents.bindings.get(frame));
        try {
            contents.giveUp(frame, misses.get(frame));
        } finally {
            BINDING.remove();
            COMING.remove();
        }
    }

    /** Evicts the object of a claimed frame, and frees the frame. */
    public void remove(int frame) {
        contents.remove(frame);
    }

    private final class Table implements NodeTable<Long, Entry<Long, Integer>> {
        private final Entry<Long, Integer> mapped = new Entry<>(0L, 0, 0);

        @Override
        public Entry<Long, Integer> get(Long key, long tag) {
            return BINDING.get().isMapped(key) ? mapped : null;
        }

        @Override
        public boolean putIfAbsent(Entry<Long, Integer> entry) {
            COMING.set(entry);
            return BINDING.get().map(entry.frame);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the very entry
        public boolean remove(Entry<Long, Integer> entry) {
            if (entry == COMING.get()) {
                BINDING.get().unmap(entry.frame);
            } else {
                stub.unmap(entry.frame);
            }
            return true;
        }

        @Override
        public int size() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Lifecycle implements HolderLifecycle<Long, Integer, RuntimeException> {
        @Override
        public Integer allocate() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Integer load(Integer holder, Long key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Integer create(Integer holder, Long key, Object parameter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Long keyOf(Integer holder) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isDirty(Integer frame) {
            return stub.isDirty(frame);
        }

        @Override
        public void clean(Integer frame, boolean removing) {
            stub.clean(frame);
        }

        @Override
        public boolean mayCleanHere() {
            return stub.mayCleanHere();
        }

        @Override
        public void clear(Integer frame) {
            stub.clear(frame);
        }
    }

    // --- the steps of the frames -------------------------------------------------------------------------------------

    /** As the method of the frames, as are all that follow. */
    public FrameStates states() {
        return frames.states();
    }

    public long state(int frame) {
        return frames.state(frame);
    }

    public void enter() {
        frames.enter();
    }

    public void unpin(int frame) {
        frames.unpin(frame);
    }

    public boolean tryClaimAfterDirtyCheck(int frame) {
        return frames.tryClaimAfterDirtyCheck(frame);
    }

    public void revoke(int frame) {
        frames.revoke(frame);
    }

    public void pinForDirtyCheck(int frame) {
        frames.pinForDirtyCheck(frame);
    }

    public void endDirtyCheck(int frame, boolean staysPinned) {
        frames.endDirtyCheck(frame, staysPinned);
    }

    public void beginWriting(int frame) {
        frames.beginWriting(frame);
    }

    public void beginOwnedWriting(int frame) {
        frames.beginOwnedWriting(frame);
    }

    public void endWriting(int frame) {
        frames.endWriting(frame);
    }

    public void endWritingAndUnpin(int frame) {
        frames.endWritingAndUnpin(frame);
    }

    public void clearQueued(int frame) {
        frames.clearQueued(frame);
    }

    public boolean awaitReady(int frame) {
        return frames.awaitReady(frame);
    }

    public void awaitLastPin(int frame) {
        frames.awaitLastPin(frame);
    }

    public void awaitUnclaimed(int frame) {
        frames.awaitUnclaimed(frame);
    }

    public void switchPolicy(ReplacementPolicy next) {
        frames.switchPolicy(next, () -> {});
    }

    public void checkFreeFrames() {
        frames.checkFreeFrames();
    }
}
