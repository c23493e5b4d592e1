// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.function.Function;

/** An updater of A, which is in the cache, dirty and not pinned, against a miss on B. */
abstract class DirtyEviction {
    private final Store store = new Store();
    private final Boxes boxes;

    DirtyEviction(Function<Store, Boxes> boxes) {
        this.boxes = boxes.apply(store);
        update();
    }

    /** {@return the value that the second change began with} */
    final String updateAndReadAgain() {
        update();
        return String.valueOf(update());
    }

    final String findOther() {
        Box box = boxes.find(Store.B);
        String content = box.content();
        boxes.release(box);
        return content;
    }

    final String end() {
        int loads = store.loads(Store.A);
        Box box = boxes.find(Store.A);
        String value = box.value + " after " + loads + " loads";
        boxes.release(box);
        return value;
    }

    private int update() {
        Box box = boxes.find(Store.A);
        int before = box.value;
        box.value = before + 1;
        box.dirty = true;
        boxes.release(box);
        return before;
    }
}
