// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

/** A command cannot go on; the message is the one sentence that the user gets, and the exit code is 1. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CommandFailure(String sentence) {
        super(sentence);
    }

    public CommandFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
