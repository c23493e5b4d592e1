// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * A child JVM that was started, and where its answer will lie.
 *
 * @param log of the child's standard error
 */
public record StartedChild(Process process, Path answerFile, Path log, CleanUp cleanUp) {
    /**
     * The answer of a child that has ended; its log stays only if the answer needs one.
     *
     * @param isGood whether an answer needs no log to explain it
     */
    public <A> A answer(Class<A> answerType, Predicate<A> isGood) throws IOException {
        A answer = ChildJvm.JSON.readValue(answerFile.toFile(), answerType);
        if (isGood.test(answer)) {
            cleanUp.delete(log);
        } else {
            cleanUp.keep(log);
        }
        return answer;
    }

    /** Keeps the log and names the failure: in the child's own words if there are some. */
    public CommandFailure failure(String otherwise) {
        cleanUp.keep(log);
        try {
            String reason = hasExplanation() ? Files.readString(Child.explanation(answerFile)) : otherwise;
            return new CommandFailure(reason + "; its log is " + log);
        } catch (IOException e) {
            return new CommandFailure(otherwise + "; its log is " + log, e);
        }
    }

    /** Whether the child has given a reason for a failure. */
    public boolean hasExplanation() {
        return Files.exists(Child.explanation(answerFile));
    }

    /** Kills the process if it is still there, and deletes the log unless it is to stay. */
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        cleanUp.remove(process);
        try {
            if (cleanUp.remembers(log)) {
                cleanUp.delete(log);
            }
        } catch (IOException e) {
            // deleted at the end of the command
        }
    }
}
