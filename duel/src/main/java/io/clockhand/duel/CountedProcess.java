// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A child that counts its operations by a {@link SliceClock} and leaves the timing to the referee. */
public final class CountedProcess implements ContenderProcess {
    private static final long POLL_MILLIS = 20;

    private final String name;
    private final Process process;
    private final SliceBoard board;
    private final long sliceNanos;
    private final Duration patience;
    private long sliceBegin;
    private long operationsBefore;

    /**
     * Makes a contender of a process that was just started.
     *
     * @param name for messages
     * @param slice how long a slice takes
     * @param patience how long the child may take to get ready, and to end
     */
    public CountedProcess(String name, Process process, SliceBoard board, Duration slice, Duration patience) {
        this.name = name;
        this.process = process;
        this.board = board;
        this.sliceNanos = slice.toNanos();
        this.patience = patience;
    }

    @Override
    public ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void awaitReady() throws InterruptedException {
        long begin = System.nanoTime();
        while (!board.isReady()) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw died();
            }
            if (System.nanoTime() - begin > patience.toNanos()) {
                throw new ContenderFailure(name + " was not ready after " + patience.toSeconds() + " s");
            }
        }
    }

    @Override
    public void beginSlice(int slice) {
        operationsBefore = board.operations();
        board.begin(slice);
        sliceBegin = System.nanoTime();
    }

    @Override
    public boolean awaitSlice(long nanos) throws InterruptedException {
        long left = sliceNanos - (System.nanoTime() - sliceBegin);
        if (left > 0 && process.waitFor(Math.min(left, nanos), TimeUnit.NANOSECONDS)) {
            throw died();
        }
        return System.nanoTime() - sliceBegin >= sliceNanos;
    }

    @Override
    public Slice endSlice(long ranNanos) {
        if (!process.isAlive()) {
            throw died();
        }
        return new Slice(board.operations() - operationsBefore, ranNanos);
    }

    @Override
    public void finish() throws InterruptedException {
        board.end();
        if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ContenderFailure(name + " did not end within " + patience.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
            throw died();
        }
    }

    /** The operations that the process has counted since it started, warm-up included. */
    public long operations() {
        return board.operations();
    }

    private ContenderFailure died() {
        return new ContenderFailure(name + " ended with status " + process.exitValue());
    }
}
