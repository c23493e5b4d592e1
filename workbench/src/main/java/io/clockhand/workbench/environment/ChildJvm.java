// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.CommandFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.Predicate;

/**
 * A child JVM that takes an order as a JSON file and leaves an answer as another.
 *
 * @param mainClass of the child
 * @param classPath of the child
 * @param flags of the child's JVM
 * @param directory for order and answer
 * @param log takes the child's standard error; stays only if the child fails or its answer is a bad one
 */
public record ChildJvm(String mainClass, String classPath, List<String> flags, Path directory, Path log) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What a shell reports for a process ended by SIGINT, and what a JVM exits with. */
    private static final int INTERRUPTED = 130;

    /**
     * The answer, or a {@link CommandFailure} in the child's words.
     *
     * @param isGood whether an answer needs no log to explain it
     */
    public <A> A ask(Object order, Class<A> answerType, Predicate<A> isGood, CleanUp cleanUp, DoubleConsumer progress) {
        Path orderFile = directory.resolve("order.json");
        Path answerFile = directory.resolve("answer.json");
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            JSON.writeValue(orderFile.toFile(), order);
            cleanUp.add(log);
            int status = run(orderFile, answerFile, cleanUp, progress);
            if (status == 0) {
                A answer = JSON.readValue(answerFile.toFile(), answerType);
                if (isGood.test(answer)) {
                    cleanUp.delete(log);
                } else {
                    cleanUp.keep(log);
                }
                return answer;
            }
            cleanUp.keep(log);
            throw new CommandFailure(reason(answerFile, status) + "; its log is " + log);
        } catch (IOException e) {
            throw new CommandFailure("cannot run a child JVM: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        }
    }

    private int run(Path order, Path answer, CleanUp cleanUp, DoubleConsumer progress)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass, order.toString(), answer.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        cleanUp.add(process);
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] word = line.split(" ", 3);
                if (word.length == 3 && word[0].equals(Child.PROGRESS)) {
                    progress.accept(Double.parseDouble(word[1]));
                }
            }
            int status = process.waitFor();
            cleanUp.holdIfInterrupted(status == INTERRUPTED);
            return status;
        } finally {
            process.destroyForcibly();
            process.onExit().join();
            cleanUp.remove(process);
        }
    }

    private static String reason(Path answer, int status) throws IOException {
        Path explanation = Child.explanation(answer);
        return Files.exists(explanation)
                ? Files.readString(explanation).strip()
                : "the child JVM died with status " + status;
    }
}
