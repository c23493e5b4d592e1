// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.function.Function;

/** Two threads miss on one key at once. */
abstract class OneHolderPerKey {
    private final Store store = new Store();
    private final Boxes boxes;
    private Box first;
    private Box second;

    OneHolderPerKey(Function<Store, Boxes> boxes) {
        this.boxes = boxes.apply(store);
    }

    final String findFirst() {
        first = boxes.find(Store.A);
        return first.content();
    }

    final String findSecond() {
        second = boxes.find(Store.A);
        return second.content();
    }

    /** {@return whether the two have got the same, and what is left of the cache} */
    final String compare() {
        boxes.release(first);
        boxes.release(second);
        String got = first == second ? "one box" : "two boxes";
        return got + ", loads: " + store.loads(Store.A) + ", " + boxes.integrity();
    }
}
