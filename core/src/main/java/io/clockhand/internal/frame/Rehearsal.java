// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.nio.ByteBuffer;

/**
 * Runs the steps of a frame once, while there is memory.
 *
 * <p>A step that ends what a thread has begun, such as a release, allocates nothing. But the JVM does, when it executes
 * a call of a {@code VarHandle} in a class for the first time, or needs a class or the text of a message for the first
 * time. If memory had run out by then, the step would fail: a pin, a share or a claim would stay for ever. And a class
 * that could not be initialized, such as an enum, is never usable again in this JVM. So a pool runs each step before it
 * is used, on a frame that nobody else knows.
 */
public final class Rehearsal {
    private static final int BYTES = 512;
    private static final int WEIGHT = 1;

    private static volatile boolean done;

    private Rehearsal() {}

    /** Runs the steps, unless they have been run in this JVM. */
    public static void run() {
        if (!done) {
            FrameStates states = new FrameStates(1, true);
            Latches latches = new Latches(states, 1);
            FreeFrames free = new FreeFrames(states, 1);
            giveUp(states, free);
            int frame = load(states, free);
            pinAndShare(states, latches, frame);
            checkAndWrite(states, frame);
            latch(latches, frame);
            await(states.line(), frame);
            evict(states, free, frame);
            takeBuffer();
            updateRows();
            done = true;
        }
    }

    private static void giveUp(FrameStates states, FreeFrames free) {
        int frame = free.poll();
        states.publishPinned(frame, 0);
        states.giveUp(frame);
        free.offer(frame);
    }

    private static int load(FrameStates states, FreeFrames free) {
        int frame = free.poll();
        states.setBuffer(frame, BufferWord.reserved(0));
        states.setIdentity(frame, frame);
        states.publishPinned(frame, WEIGHT);
        states.casBuffer(frame, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(frame);
        states.completeUnpin(frame, states.unpin(frame));
        return frame;
    }

    private static void pinAndShare(FrameStates states, Latches latches, int frame) {
        states.tryPinReady(frame, frame, WEIGHT);
        states.unpin(frame);
        FrameRef read = new FrameRef(states, latches);
        read.begin(frame, frame, WEIGHT + 1);
        read.tryShare();
        read.endShare();
    }

    private static void checkAndWrite(FrameStates states, int frame) {
        states.tryPinForDirtyCheck(frame);
        states.endDirtyCheck(frame, true);
        states.tryBeginWriting(frame);
        states.endWriting(frame);
        states.tryClaimLastPin(frame);
        states.beginOwnedWriting(frame);
        states.endWriting(frame);
        states.revoke(frame, true);
        states.tryClaimQueued(frame);
        states.revoke(frame, false);
    }

    /** With a wait in each mode, whose time is over. */
    private static void latch(Latches latches, int frame) {
        latches.tryUpdate(frame);
        latches.acquireUpdate(frame, 0);
        latches.upgrade(frame, 0);
        latches.acquireShared(frame, 0);
        latches.downgrade(frame);
        latches.acquireExclusive(frame, 0);
        latches.releaseShared(frame);
    }

    private static void await(FrameLine line, int frame) {
        FrameLine.Place place = new FrameLine.Place();
        line.enter(place);
        line.await(place, System.nanoTime());
        line.leave(place);
        FrameRing hints = new FrameRing(1);
        hints.add(frame);
        hints.poll();
    }

    private static void evict(FrameStates states, FreeFrames free, int frame) {
        states.ageOrClaim(frame);
        states.tryClaim(frame);
        states.free(frame);
        free.offer(frame);
    }

    /** In direct memory, since bytes of the heap have no CAS. */
    private static void updateRows() {
        FrameMemory memory = new FrameMemory(BYTES, 1, ByteBuffer::allocateDirect);
        int buffer = memory.poll();
        memory.releaseByte(buffer, 0, (byte) 0);
        memory.releaseShort(buffer, 0, (short) 0);
        memory.releaseInt(buffer, 0, 0);
        memory.releaseLong(buffer, 0, 0);
        memory.setBits(buffer, 0, 1, 1);
        memory.raiseLong(buffer, 0, Long.MAX_VALUE);
        WideLsnField.raise(memory, buffer, Long.BYTES, 1, 1);
    }

    private static void takeBuffer() {
        FrameMemory memory = new FrameMemory(BYTES, 1, ByteBuffer::allocate);
        BufferLine line = new BufferLine(memory);
        memory.offer(line.await(new BufferLine.Place(), 0));
        line.onFree();
    }
}
