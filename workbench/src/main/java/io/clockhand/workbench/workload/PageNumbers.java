// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/**
 * Numbers for pages, from 0, in the order in which they first appear: a hash table with linear probing. Every
 * bit of a page decides on its slot, so pages that differ in high bits only do not cluster. Not thread-safe.
 */
final class PageNumbers {
    private long[] pages = new long[1 << 10];
    /** One more than the number of the page in the same slot; 0 in an empty one. */
    private int[] numbers = new int[1 << 10];

    private int count;

    int of(long page) {
        int slot = slot(page);
        if (numbers[slot] == 0) {
            if (2 * count >= numbers.length) {
                grow();
                slot = slot(page);
            }
            pages[slot] = page;
            numbers[slot] = ++count;
        }
        return numbers[slot] - 1;
    }

    int count() {
        return count;
    }

    /** Where the page is, or would be. */
    private int slot(long page) {
        int mask = numbers.length - 1;
        int slot = (int) Hash.mixed(page) & mask;
        while (numbers[slot] != 0 && pages[slot] != page) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldPages = pages;
        int[] oldNumbers = numbers;
        pages = new long[2 * oldPages.length];
        numbers = new int[2 * oldNumbers.length];
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] != 0) {
                int slot = slot(oldPages[i]);
                pages[slot] = oldPages[i];
                numbers[slot] = oldNumbers[i];
            }
        }
    }
}
