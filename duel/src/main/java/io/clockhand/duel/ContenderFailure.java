// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

/** A contender died, hung or reported an error; the message is a sentence for the user. */
public final class ContenderFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ContenderFailure(String message) {
        super(message);
    }

    public ContenderFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
