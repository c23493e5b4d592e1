// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A thread's position in the draws. Each thread starts at another position, and goes round the draws in order. */
@State(Scope.Thread)
public class Cursor {
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final int APART = 377_777;

    private int at = STARTED.getAndIncrement() * APART;

    <T> T next(T[] draws) {
        return draws[at++ & (draws.length - 1)];
    }
}
