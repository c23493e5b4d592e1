// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The child's end of the conversation with the workbench.
 *
 * <p>Its argument names a JSON file with the order; the answer goes to a second file, progress to standard output,
 * everything else (Derby's log too) to standard error. A byte on standard input asks for the stacks of all threads;
 * when it ends, the workbench is gone, and so the child goes too.
 */
public final class Child {
    /** A line of progress on standard output: this word, a fraction, and a text. */
    public static final String PROGRESS = "progress";

    public static final int FAILED = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Turns an order into an answer. */
    public interface Work<O, A> {
        A answer(O order) throws Exception;
    }

    private Child() {}

    /** Never returns: Derby's threads must not keep the process alive. */
    public static <O, A> void serve(String[] arguments, Class<O> orderType, Work<O, A> work) {
        dieWithTheWorkbench();
        int status = 0;
        try {
            O order = JSON.readValue(Path.of(arguments[0]).toFile(), orderType);
            A answer = work.answer(order);
            JSON.writeValue(Path.of(arguments[1]).toFile(), answer);
        } catch (Throwable failure) {
            failure.printStackTrace();
            status = FAILED;
            explain(Path.of(arguments[1]), failure);
        }
        Runtime.getRuntime().halt(status);
    }

    /** Writes the failure's own words, which the workbench shows. */
    private static void explain(Path answer, Throwable failure) {
        try {
            Files.writeString(explanation(answer), Failures.sentence(failure));
        } catch (IOException e) {
            System.err.println("cannot write " + explanation(answer) + ": " + e);
        }
    }

    /** Where a child that fails says why. */
    public static Path explanation(Path answer) {
        return answer.resolveSibling(answer.getFileName() + ".failure");
    }

    private static void dieWithTheWorkbench() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            System.err.println(Threads.dump());
                        }
                    } catch (IOException e) {
                        // as good as the end
                    }
                    Runtime.getRuntime().halt(FAILED);
                },
                "workbench watch");
        watch.setDaemon(true);
        watch.start();
    }

    public static void progress(double fraction, String text) {
        System.out.println(String.format(Locale.ROOT, "%s %.4f %s", PROGRESS, fraction, text));
        System.out.flush();
    }

    /** The stacks of the threads of this JVM, for a log. */
    public static final class Threads {
        private Threads() {}

        /** Every thread with its stack, the locks it holds and the one it waits for. */
        public static String dump() {
            return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
                    .map(Threads::described)
                    .collect(Collectors.joining("\n", "All threads:\n", ""));
        }

        /** {@link ThreadInfo#toString} would truncate the stack after eight frames. */
        private static String described(ThreadInfo thread) {
            String head = '"' + thread.getThreadName() + "\" " + thread.getThreadState()
                    + (thread.getLockName() == null ? "" : " on " + thread.getLockName())
                    + (thread.getLockOwnerName() == null ? "" : " owned by \"" + thread.getLockOwnerName() + '"');
            return Arrays.stream(thread.getStackTrace())
                    .map(frame -> "    at " + frame + "\n")
                    .collect(Collectors.joining("", head + "\n", ""));
        }
    }
}
