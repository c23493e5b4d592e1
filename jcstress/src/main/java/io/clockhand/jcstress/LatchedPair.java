// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** Two plain numbers under a latch; writers raise both, readers never see them differ. */
abstract class LatchedPair {
    private int left;
    private int right;

    final String write() {
        if (!tryExclusive()) {
            return "busy";
        }
        left++;
        right++;
        releaseExclusive();
        return "written";
    }

    final String read() {
        if (!tryShared()) {
            return "busy";
        }
        boolean equal = left == right;
        releaseShared();
        return equal ? "equal" : "torn";
    }

    final int sum() {
        return left + right;
    }

    abstract boolean tryExclusive();

    abstract void releaseExclusive();

    abstract boolean tryShared();

    abstract void releaseShared();
}
