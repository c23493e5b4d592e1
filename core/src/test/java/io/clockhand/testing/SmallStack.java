// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.time.Duration;

/**
 * Runs an action in a thread with a small stack, at each of the last depths until the stack is used up. So the action
 * overflows the stack in each of its calls, again and again. Every wait has a time-out.
 */
public final class SmallStack {
    private static final long BYTES = 192 * 1024;
    /** The action runs in the last frames only, as many as need much more stack than the action. */
    private static final int LAST_FRAMES = 300;

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final Action action;
    private int depth;
    private int frames;
    private int mostFrames;
    private int overflows;
    private Throwable failure;

    /** The work of a depth. */
    public interface Action {
        /**
         * Does it.
         *
         * @param depth a number that is one more for each call
         * @throws Exception any; it fails the test
         */
        void at(int depth) throws Exception;
    }

    private SmallStack(Action action) {
        this.action = action;
    }

    /**
     * Runs the action, first at no depth, so that all classes are there, and then in rounds. At the end of each round
     * it runs at no depth again.
     *
     * @param rounds how often to use the stack up
     * @param action may throw a StackOverflowError, and nothing else
     * @return the number of times that it did
     */
    public static int dive(int rounds, Action action) {
        SmallStack stack = new SmallStack(action);
        Thread thread = new Thread(null, () -> stack.run(rounds), "small stack", BYTES);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        if (thread.isAlive()) {
            AssertionError stuck = new AssertionError("the action is stuck");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
        if (stack.failure != null) {
            throw new AssertionError("the action failed: " + stack.failure, stack.failure);
        }
        return stack.overflows;
    }

    private void run(int rounds) {
        try {
            for (int i = 0; i < 200; i++) {
                action.at(i);
            }
            for (int round = 0; round < rounds && failure == null; round++) {
                frames = 0;
                try {
                    shift(round % 13, round, round);
                } catch (StackOverflowError overflow) {
                    mostFrames = frames;
                    action.at(depth++);
                }
            }
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    /** Takes frames of another size, so that the frames of the action lie elsewhere in each round. */
    private long shift(int frames, long first, long second) {
        if (frames == 0) {
            descend();
            return first + second;
        }
        return first ^ shift(frames - 1, second, first + 1);
    }

    private void descend() {
        if (++frames > mostFrames - LAST_FRAMES) {
            try {
                action.at(depth++);
            } catch (StackOverflowError overflow) {
                overflows++;
            } catch (Throwable thrown) {
                failure = thrown; // no call: the stack may be used up
            }
        }
        if (failure == null) {
            descend();
        }
    }
}
