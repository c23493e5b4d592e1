// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The temporary write buffer of WAR (write after read; M. An and others, 2022): a dirty victim is copied to a slot, so
 * that its frame is free at once, and is written from there in the background. The table leads from the page to its
 * slot meanwhile. A miss on it gets a copy in a frame; that frame counts as being written until the write of the slot
 * has ended, so an older image never overwrites a newer one.
 *
 * <p>A slot whose write failed keeps its page, and is written again by the flusher, or by a reader that finds no slot.
 *
 * <p>Shared words: {@code pages} of a slot is written by the thread that has the slot. The stacks are guarded by {@code
 * lock}, which is taken under the locks of pages and under which no other is taken. Thread-safe.
 */
final class WriteBuffer {
    static final int NONE = -1;

    private final Frames frames;
    private final FrameWriter writer;
    private final AsyncWrites writes;
    /** By slot; slots are numbered from that of the frames on. */
    private final long[] pages;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Slots free;
    private final Slots failed;

    WriteBuffer(Frames frames, int slots, FrameWriter writer, AsyncWrites writes) {
        this.frames = frames;
        this.writer = writer;
        this.writes = writes;
        this.pages = new long[slots];
        this.free = new Slots(slots);
        this.failed = new Slots(slots);
        for (int i = slots - 1; i >= 0; i--) {
            pages[i] = NONE;
            free.push(frames.count + i);
        }
    }

    /** {@return a slot, or {@link #NONE}} */
    int poll() {
        return poll(free);
    }

    private int poll(Slots stack) {
        lock.lock();
        try {
            return stack.size == 0 ? NONE : stack.numbers[--stack.size];
        } finally {
            lock.unlock();
        }
    }

    private void push(Slots stack, int slot) {
        lock.lock();
        try {
            stack.push(slot);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there may be a slot that is free or failed, but no longer than this. */
    void await(long nanos) {
        lock.lock();
        try {
            if (free.size == 0 && failed.size == 0) {
                BoundedWaits.get(changed::awaitNanos, nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Copies a dirty page to a slot, and evicts it, unless it is in use.
     *
     * @return whether the frame is the caller's
     */
    boolean fill(int slot, int frame) {
        long page = frames.table.pageOf(frame);
        synchronized (frames.table.lockOf(page)) {
            if (!frames.words.tryFreeDirty(frame)) {
                return false;
            }
            frames.buffers.copy(frame, slot);
            pages[slot - frames.count] = page;
            frames.table.remove(frame);
            frames.table.add(page, slot);
        }
        return true;
    }

    /** Has a slot written if it was filled, or gives it back. */
    void submit(int slot) {
        if (pages[slot - frames.count] == NONE) {
            push(free, slot);
        } else {
            writes.submit(copy -> {
                try {
                    write(slot);
                } catch (IOException e) {
                    // The slot is among those that failed: a reader or close() writes it again, and throws then.
                }
            });
        }
    }

    /**
     * Maps the page of a slot to a frame that gets a copy, pinned. Under the lock of the page, with the exclusive latch
     * of the frame.
     */
    void serve(long page, int slot, int frame) {
        frames.buffers.copy(slot, frame);
        frames.words.occupy(frame, true);
        frames.table.remove(slot);
        frames.table.add(page, frame);
    }

    /** {@return whether there was a slot whose write had failed} It was written again. */
    boolean retry() throws IOException {
        int slot = poll(failed);
        if (slot != NONE) {
            write(slot);
        }
        return slot != NONE;
    }

    /** Has all slots whose write had failed written again. */
    void retryAll() {
        for (int i = failedSlots(); i > 0; i--) {
            int slot = poll(failed);
            if (slot != NONE) {
                submit(slot);
            }
        }
    }

    int failedSlots() {
        lock.lock();
        try {
            return failed.size;
        } finally {
            lock.unlock();
        }
    }

    private void write(int slot) throws IOException {
        long page = pages[slot - frames.count];
        boolean written = false;
        try {
            writer.write(page, frames.buffers.transfer(slot));
            written = true;
        } finally {
            end(slot, page, written);
        }
    }

    private void end(int slot, long page, boolean written) {
        synchronized (frames.table.lockOf(page)) {
            int number = frames.table.find(page);
            if (number == slot && !written) {
                push(failed, slot);
                return;
            }
            if (number == slot) {
                frames.table.remove(slot);
            } else {
                frames.words.endWrite(number, written);
            }
            pages[slot - frames.count] = NONE;
            push(free, slot);
        }
    }

    /** A stack. */
    private static final class Slots {
        private final int[] numbers;
        private int size;

        private Slots(int capacity) {
            numbers = new int[capacity];
        }

        private void push(int slot) {
            numbers[size++] = slot;
        }
    }
}
