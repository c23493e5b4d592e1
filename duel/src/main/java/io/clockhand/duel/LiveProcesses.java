// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes of a duel: stops and continues them, and kills those left when it is closed or this JVM goes down.
 *
 * <p>Used by one thread; the shutdown hook may run at any time.
 */
final class LiveProcesses implements AutoCloseable {
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long DEATH_SECONDS = 10;
    /** After a process died, for the Ctrl-C that killed it to reach this JVM too. */
    private static final long CTRL_C_MILLIS = 1000;

    private final Optional<Signals> signals;
    private final boolean statesAreKnown = ProcessState.isKnown();
    private final Set<ProcessHandle> processes = new LinkedHashSet<>();
    private final CountDownLatch goingDown = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "duel clean-up");

    LiveProcesses(Optional<Signals> signals) {
        this.signals = signals;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void add(ProcessHandle process) throws IOException {
        synchronized (this) {
            processes.add(process);
            if (goingDown.getCount() == 0) {
                process.destroyForcibly();
            }
        }
        if (signals.isPresent()) {
            signals.get().add(process);
        }
    }

    /** For a process that has ended. */
    void remove(ProcessHandle process) throws IOException {
        synchronized (this) {
            processes.remove(process);
        }
        if (signals.isPresent()) {
            signals.get().remove(process);
        }
    }

    /** Continues a process; does nothing without signals. */
    void resume(ProcessHandle process) throws IOException {
        if (signals.isPresent()) {
            signals.get().resume(process);
        }
    }

    /** Stops a process and waits until all its threads have stopped; does nothing without signals. */
    void stop(ProcessHandle process) throws IOException, InterruptedException {
        if (signals.isEmpty() || !signals.get().stop(process) || !statesAreKnown) {
            return;
        }
        long begin = System.nanoTime();
        while (!ProcessState.hasStopped(process.pid())) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while process " + process.pid() + " was being stopped");
            }
            if (System.nanoTime() - begin > STOP_NANOS) {
                throw new ContenderFailure("process " + process.pid() + " did not stop within "
                        + TimeUnit.NANOSECONDS.toSeconds(STOP_NANOS) + " s: "
                        + ProcessState.describeRunning(process.pid()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Never returns if this JVM is going down: nobody should report the death of a process that Ctrl-C has killed. */
    void holdIfGoingDown() throws InterruptedException {
        if (goingDown.await(CTRL_C_MILLIS, TimeUnit.MILLISECONDS)) {
            new CountDownLatch(1).await();
        }
    }

    private void onShutdown() {
        goingDown.countDown();
        kill();
    }

    /** Kills what is left. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook runs
        }
        kill();
    }

    private void kill() {
        List<ProcessHandle> left;
        synchronized (this) {
            left = List.copyOf(processes);
        }
        left.forEach(ProcessHandle::destroyForcibly);
        signals.ifPresent(Signals::close);
        for (ProcessHandle process : left) {
            process.onExit()
                    .completeOnTimeout(process, DEATH_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }
}
