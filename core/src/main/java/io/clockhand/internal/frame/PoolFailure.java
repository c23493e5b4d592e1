// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import io.clockhand.PoolFailedException;
import java.util.Arrays;

/**
 * Whether a pool or a cache has failed. It fails when an error of the virtual machine (memory or stack has run out)
 * comes from a step that has begun to change shared words, and whose change it can neither complete nor take back: so
 * nobody knows what those words say together. Exceptions of stores, logs, policies and callbacks fail nothing.
 *
 * <p>{@code first} is written once, under the monitor of this, and read by every call that is to change several words,
 * and by each thread whose wait has ended (volatile). It is written before the waits end, so a thread that was woken
 * sees it. The thread that fails the pool may have too little stack or memory for a consequence; then {@code pending}
 * has it still, and the next thread that learns of the failure tries again. A consequence may be carried out twice.
 * Thread-safe.
 */
public final class PoolFailure {
    /**
     * Part of HotSpot's message after it has found no memory to create an object again that the compiler had replaced
     * by its fields. It has dropped the frames of that code then, and run none of their {@code finally} blocks.
     */
    private static final String DROPPED_FRAMES = "failed reallocation of scalar replaced objects";

    private volatile Throwable first;
    /** What remains to be done, in order: complete before the pool is used; an entry is null when it is done. */
    private volatile Runnable[] pending = new Runnable[0];

    /** Begins without a failure. */
    public PoolFailure() {}

    /**
     * Adds what is done when the pool fails: uses are refused, waits end. Called before the pool is used.
     *
     * @param action needs little memory and stack; may be carried out twice
     */
    public synchronized void onFailure(Runnable action) {
        Runnable[] more = Arrays.copyOf(pending, pending.length + 1);
        more[more.length - 1] = action;
        pending = more;
    }

    /**
     * Fails the pool, if it has not failed before.
     *
     * @param failure came from a step that can neither be completed nor taken back
     * @param <E> its type
     * @return the same one, to be thrown
     */
    public <E extends Throwable> E fail(E failure) {
        synchronized (this) {
            if (first == null) {
                first = failure;
            }
        }
        carryOut();
        return failure;
    }

    /**
     * Fails the pool if an error says that the virtual machine has dropped frames, which may have owned a pin, a latch,
     * a claim or the right to extend a file.
     *
     * @param error came from a step that undoes what it has done, if its frames were there still
     * @param <E> its type
     * @return the same one, to be thrown
     */
    public <E extends Throwable> E failIfFramesWereDropped(E error) {
        if (error instanceof OutOfMemoryError) {
            String message = error.getMessage();
            if (message != null && message.contains(DROPPED_FRAMES)) {
                fail(error);
            }
        }
        return error;
    }

    private void carryOut() {
        Runnable[] actions = pending;
        for (int i = 0; i < actions.length; i++) {
            Runnable action = actions[i];
            if (action != null) {
                try {
                    action.run();
                    actions[i] = null;
                } catch (VirtualMachineError e) {
                    // it is pending still
                }
            }
        }
    }

    /** {@return the failure, or null if the pool has not failed} */
    public Throwable cause() {
        return first;
    }

    /** {@return whether the pool has failed} */
    public boolean hasFailed() {
        return first != null;
    }

    /**
     * Throws if the pool has failed.
     *
     * @throws PoolFailedException with the error as its cause
     */
    public void check() {
        Throwable failure = first;
        if (failure != null) {
            carryOut();
            throw new PoolFailedException(
                    "the pool has failed, since " + failure + " came in the middle of a step: close it, a pool of pages"
                            + " by closeWithoutWriting, make it anew, and redo from the last checkpoint",
                    failure);
        }
    }
}
