// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.QueuedHits;

/** Two threads whose ids choose the same queue of hits: one puts a hit in, the other puts one in or takes all out. */
abstract class HitQueue {
    private final QueuedHits queue;

    HitQueue(QueuedHits queue) {
        this.queue = queue;
        queue.tryAdd(0);
    }

    /** {@return the frame that was put in, or nothing if the queue was owned} */
    final String add(int frame) {
        return queue.tryAdd(frame) ? Integer.toString(frame) : "";
    }

    final String replay() {
        return queue.tryReplay();
    }

    /** Whether what is in the queue now, and what was taken out, is what was put in: each once. */
    final String end(String first, String second, String replayed) {
        String out = replayed + queue.tryReplay();
        String in = "0" + first + second;
        return sorted(out).equals(sorted(in)) ? "each once" : "in: " + in + ", out: " + out;
    }

    private static String sorted(String frames) {
        return frames.chars()
                .sorted()
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
