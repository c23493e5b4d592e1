// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.function.Predicate;

/**
 * A child JVM that takes an order as a JSON file and leaves an answer as another.
 *
 * @param mainClass of the child
 * @param classPath of the child
 * @param flags of the child's JVM
 * @param directory for order and answer
 * @param patience how long the child may report no progress before it counts as hung and is ended
 * @param log takes the child's standard error; stays only if the child fails or its answer is a bad one
 * @param within the beginning of a command that becomes the JVM, such as one that joins a control group; may be empty
 */
public record ChildJvm(
        String mainClass,
        String classPath,
        List<String> flags,
        Path directory,
        Duration patience,
        Path log,
        List<String> within) {
    static final ObjectMapper JSON = new ObjectMapper();
    /** The status of a process that SIGINT has ended, for shells and JVMs alike. */
    private static final int INTERRUPTED = 130;

    private static final long POLL_MILLIS = 20;
    /** For a hung child to write the stacks of its threads, on a busy machine, too. */
    private static final int DUMP_SECONDS = 30;
    /** A JVM takes further flags from these, which would reach the contenders unseen. */
    private static final List<String> HIDDEN_FLAGS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** A child that is started as it is. */
    public ChildJvm(
            String mainClass, String classPath, List<String> flags, Path directory, Duration patience, Path log) {
        this(mainClass, classPath, flags, directory, patience, log, List.of());
    }

    /**
     * The answer, or a {@link CommandFailure} in the child's words.
     *
     * @param isGood whether an answer needs no log to explain it
     */
    public <A> A ask(Object order, Class<A> answerType, Predicate<A> isGood, CleanUp cleanUp, DoubleConsumer progress) {
        try {
            StartedChild child = start(order, cleanUp, ProcessBuilder.Redirect.PIPE);
            int status = await(child, progress);
            if (status == 0) {
                return child.answer(answerType, isGood);
            }
            throw child.failure("the child JVM died with status " + status);
        } catch (IOException e) {
            throw new CommandFailure("cannot run a child JVM: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        }
    }

    /** Starts the child and returns at once; the caller closes it. */
    public StartedChild start(Object order, CleanUp cleanUp) throws IOException {
        return start(order, cleanUp, ProcessBuilder.Redirect.DISCARD);
    }

    private StartedChild start(Object order, CleanUp cleanUp, ProcessBuilder.Redirect output) throws IOException {
        Path orderFile = directory.resolve("order.json");
        Path answerFile = directory.resolve("answer.json");
        Files.createDirectories(log.toAbsolutePath().getParent());
        Files.deleteIfExists(answerFile); // of an earlier run
        Files.deleteIfExists(Child.explanation(answerFile));
        JSON.writeValue(orderFile.toFile(), order);
        cleanUp.add(log);
        List<String> command = new ArrayList<>(within);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass, orderFile.toString(), answerFile.toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(log.toFile()).redirectOutput(output);
        builder.environment().keySet().removeAll(HIDDEN_FLAGS);
        Process process = builder.start();
        cleanUp.add(process);
        return new StartedChild(process, answerFile, log, cleanUp);
    }

    /** Reads the reports of a child until it has ended, or has to be ended since nothing new comes; its status. */
    private int await(StartedChild child, DoubleConsumer progress) throws IOException, InterruptedException {
        Process process = child.process();
        try (BufferedReader output = process.inputReader()) {
            String previous = "";
            long lastNew = System.nanoTime();
            boolean ended = false;
            while (!ended) {
                ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
                while (output.ready()) {
                    String line = output.readLine();
                    if (!line.equals(previous)) {
                        lastNew = System.nanoTime();
                        previous = line;
                    }
                    String[] word = line.split(" ", 3);
                    if (word.length == 3 && word[0].equals(Child.PROGRESS)) {
                        progress.accept(Double.parseDouble(word[1]));
                    }
                }
                if (!ended && System.nanoTime() - lastNew >= patience.toNanos()) {
                    endHung(child);
                    ended = true;
                }
            }
            int status = process.waitFor();
            child.cleanUp().holdIfInterrupted(status == INTERRUPTED);
            return status;
        } finally {
            process.destroyForcibly();
            process.onExit().join();
            child.cleanUp().remove(process);
        }
    }

    /** Ends a child after it has written its threads' stacks to its log. */
    private void endHung(StartedChild child) throws InterruptedException {
        Process process = child.process();
        try (OutputStream input = process.getOutputStream()) { // at its end the child ends
            Files.writeString(
                    Child.explanation(child.answerFile()),
                    "the child JVM hung: it reported nothing new for " + patience.toSeconds() + " s");
            input.write('\n');
        } catch (IOException e) {
            // it is ended all the same
        }
        process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
    }
}
