// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Stops and continues processes. Not thread-safe, but {@link #close} may be called by any thread.
 *
 * <p>One shell sends all signals with its built-in {@code kill}, so a signal costs no fork. The shell ignores what
 * Ctrl-C and a closed terminal send. When its standard input ends, because this JVM closed it or died in whatever way,
 * the shell kills all processes that it knows, stopped ones included.
 */
final class Signals implements AutoCloseable {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String SCRIPT = """
            trap '' INT QUIT HUP TERM PIPE TSTP
            known=
            while read -r command pid; do
              case $command in
                CONT) kill -CONT "$pid"; continue ;;
                ADD) known="$known $pid" ;;
                REMOVE)
                  others=
                  for p in $known; do [ "$p" = "$pid" ] || others="$others $p"; done
                  known=$others ;;
                *) kill -"$command" "$pid" ;;
              esac
              echo $?
            done
            for p in $known; do kill -KILL "$p"; kill -CONT "$p"; done
            """;
    private static final long CLOSE_SECONDS = 10;

    private final Process shell;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    private Signals(Process shell) {
        this.shell = shell;
        this.commands = shell.outputWriter();
        this.answers = shell.inputReader();
    }

    /** Empty where processes cannot be stopped: on Windows, and where there is no {@code /bin/sh}. */
    static Optional<Signals> open() {
        if (!Files.isExecutable(SHELL)) {
            return Optional.empty();
        }
        try {
            Process shell = new ProcessBuilder(SHELL.toString(), "-c", SCRIPT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return Optional.of(new Signals(shell));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    ProcessHandle shell() {
        return shell.toHandle();
    }

    /** From now on the process dies with this JVM. */
    void add(ProcessHandle process) throws IOException {
        send("ADD", process);
    }

    void remove(ProcessHandle process) throws IOException {
        send("REMOVE", process);
    }

    /** Sends the signal; returns false if there is no such process. {@link ProcessState} tells when it has stopped. */
    boolean stop(ProcessHandle process) throws IOException {
        return send("STOP", process);
    }

    /** Sends the signal, and does not wait: the process may now need all processors. */
    void resume(ProcessHandle process) throws IOException {
        write("CONT", process);
    }

    private boolean send(String command, ProcessHandle process) throws IOException {
        write(command, process);
        String status = answers.readLine();
        if (status == null) {
            throw new IOException("the shell that sends the signals has ended");
        }
        return status.equals("0");
    }

    private void write(String command, ProcessHandle process) throws IOException {
        commands.write(command + " " + process.pid() + "\n");
        commands.flush();
    }

    /** Kills all processes that were added and not removed. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // then the shell has ended, and its loop with it
        }
        try {
            if (!shell.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            shell.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
