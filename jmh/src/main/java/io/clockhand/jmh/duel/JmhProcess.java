// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import io.clockhand.duel.ContenderFailure;
import io.clockhand.duel.ContenderProcess;
import io.clockhand.duel.Slice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link ContenderMain} that runs, as the referee sees it. */
final class JmhProcess implements ContenderProcess {
    /** A benchmark's set-up may write files of gigabytes. */
    private static final long SET_UP_MINUTES = 30;

    private static final long END_SECONDS = 60;
    private static final String END = "end";
    private static final Set<String> WORDS = Set.of(ContenderMain.READY, ContenderMain.SLICE, ContenderMain.FAILED);

    private final String name;
    private final Process process;
    private final Path log;
    private final Writer permissions;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private Slice slice;

    JmhProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.permissions = process.outputWriter();
        Thread reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (WORDS.contains(line.split(" ", 2)[0])) {
                    lines.add(line);
                } // else the JVM's own, such as its log of collections
            }
        } catch (IOException e) {
            // the process was killed
        } finally {
            lines.add(END);
        }
    }

    @Override
    public ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void awaitReady() throws InterruptedException {
        String line = lines.poll(SET_UP_MINUTES, TimeUnit.MINUTES);
        if (line == null) {
            throw new ContenderFailure(
                    name + " was not set up after " + SET_UP_MINUTES + " minutes; its log is " + log);
        }
        if (!line.equals(ContenderMain.READY)) {
            throw failure(line);
        }
    }

    @Override
    public void beginSlice(int number) {
        slice = null;
        try {
            permissions.write(number + "\n");
            permissions.flush();
        } catch (IOException e) {
            // the process has ended; awaitSlice reads its last words
        }
    }

    @Override
    public boolean awaitSlice(long nanos) throws InterruptedException {
        String line = slice == null ? lines.poll(nanos, TimeUnit.NANOSECONDS) : null;
        if (line != null) {
            String[] words = line.split(" ", -1);
            if (!words[0].equals(ContenderMain.SLICE)) {
                throw failure(line);
            }
            slice = new Slice(Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
        return slice != null;
    }

    @Override
    public Slice endSlice(long ranNanos) {
        return slice;
    }

    @Override
    public void finish() throws InterruptedException {
        String line = lines.poll(END_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new ContenderFailure(name + " did not end within " + END_SECONDS + " s; its log is " + log);
        }
        if (!line.equals(END) || process.waitFor() != 0) {
            throw failure(line);
        }
    }

    private ContenderFailure failure(String line) throws InterruptedException {
        if (line.startsWith(ContenderMain.FAILED)) {
            return new ContenderFailure(name + " failed: "
                    + line.substring(ContenderMain.FAILED.length()).strip() + "; its log is " + log);
        }
        if (line.equals(END) && process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            return new ContenderFailure(name + " ended with status " + process.exitValue() + "; its log is " + log);
        }
        return new ContenderFailure(name + " reported '" + line + "'; its log is " + log);
    }
}
