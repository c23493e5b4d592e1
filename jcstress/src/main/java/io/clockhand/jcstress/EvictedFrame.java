// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.function.Function;

/** A finder of A, which is in the cache and not pinned, against a miss on B. */
abstract class EvictedFrame {
    private final Store store = new Store();
    private final Boxes boxes;

    EvictedFrame(Function<Store, Boxes> boxes) {
        this.boxes = boxes.apply(store);
        findEvicted();
    }

    final String findEvicted() {
        return contentOf(Store.A);
    }

    final String findOther() {
        return contentOf(Store.B);
    }

    final String end() {
        return "loads: " + store.loads(Store.A) + ", " + boxes.integrity();
    }

    private String contentOf(int key) {
        Box box = boxes.find(key);
        if (box == null) {
            return "no frame left";
        }
        String content = box.content();
        boxes.release(box);
        return content;
    }
}
