// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form: one word with the number of the buffer. */
class TinyOnePageIn extends OnePageIn {
    final AtomicInteger word = new AtomicInteger(-1);

    @Override
    final int loaded() {
        return word.get();
    }

    @Override
    boolean publish(int buffer) {
        return word.compareAndSet(-1, buffer);
    }
}
