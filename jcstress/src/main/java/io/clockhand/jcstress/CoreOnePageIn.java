// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameStates;

/** On a frame of core. */
final class CoreOnePageIn extends OnePageIn {
    private final FrameStates states = new FrameStates(1, true);

    CoreOnePageIn() {
        states.setBuffer(0, BufferWord.reserved(0));
    }

    @Override
    int loaded() {
        long word = states.buffer(0);
        return BufferWord.isLoaded(word) ? BufferWord.buffer(word) : -1;
    }

    @Override
    boolean publish(int buffer) {
        return states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(buffer));
    }
}
