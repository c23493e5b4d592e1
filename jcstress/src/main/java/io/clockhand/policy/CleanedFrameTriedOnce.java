// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: the search does not try the frame again after it has marked it. */
public final class CleanedFrameTriedOnce extends CleanedFrame {
    @Override
    Claims.Outcome attempt(int number) {
        return number == 1 ? super.attempt(number) : Claims.Outcome.DIRTY;
    }
}
