// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.concurrent.atomic.AtomicLong;

/** The space of a disk in bytes, of which files use whole sectors. Thread-safe. */
final class DiskSpace {
    private volatile long capacity = Long.MAX_VALUE;
    private final AtomicLong used = new AtomicLong();

    void setCapacity(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the capacity is " + bytes + " bytes; it cannot be negative");
        }
        capacity = bytes;
    }

    long capacity() {
        return capacity;
    }

    long used() {
        return used.get();
    }

    boolean tryTake(long bytes) {
        long before = used.get();
        while (bytes == 0 || bytes <= capacity - before) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Adds bytes that files have already, or with a negative number gives them back. */
    void add(long bytes) {
        used.addAndGet(bytes);
    }
}
