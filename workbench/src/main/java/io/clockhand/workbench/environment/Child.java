// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.management.JMException;
import javax.management.ObjectName;

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
            O order = ChildJvm.JSON.readValue(Path.of(arguments[0]).toFile(), orderType);
            A answer = work.answer(order);
            ChildJvm.JSON.writeValue(Path.of(arguments[1]).toFile(), answer);
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
                            System.err.println(threads());
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

    /** The stacks of all threads of this JVM with their locks, for a log: those that {@code jstack -l} prints. */
    public static String threads() {
        try {
            Object[] arguments = {new String[] {"-l"}};
            String[] types = {String[].class.getName()};
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "threadPrint",
                            arguments,
                            types);
        } catch (JMException e) {
            return "cannot print the threads: " + e;
        }
    }
}
