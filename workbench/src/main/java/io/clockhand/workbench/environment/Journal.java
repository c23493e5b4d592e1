// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.PrintStream;
import java.util.function.Function;

/** Reports on standard error how the runs of a command go, and remembers whether all went well. */
public final class Journal {
    private final PrintStream err;
    private final CleanUp cleanUp;
    private boolean good = true;

    public Journal(PrintStream err, CleanUp cleanUp) {
        this.err = err;
        this.cleanUp = cleanUp;
    }

    /** Returns null, and has complained, if the work fails. Never returns after Ctrl-C. */
    public <A> A attempt(String number, Object run, Function<Progress, A> work) {
        cleanUp.holdIfInterrupted();
        try (Progress progress = Progress.of(number + ": " + run)) {
            return work.apply(progress);
        } catch (CommandFailure failure) {
            cleanUp.holdIfInterrupted();
            complain(run, failure.getMessage());
            return null;
        }
    }

    public void complain(Object run, String sentence) {
        good = false;
        err.println("Failed: " + run + ": " + sentence);
    }

    public void say(String line) {
        err.println(line);
    }

    /** Whether nothing was complained about. */
    public boolean isGood() {
        return good;
    }
}
