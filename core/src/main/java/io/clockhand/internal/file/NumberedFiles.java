// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Files by number, however sparse the numbers are: a hash table with linear probing.
 *
 * <p>{@link #get} takes no lock and allocates nothing. {@link #put} runs under the caller's lock. A file is never taken
 * out of its slot: after its removal it is {@linkplain PageFile#isGone gone}, which frees the number, and the slot
 * names it in messages. A new file of the same number replaces it. When the table grows, files that are gone are left
 * behind.
 *
 * <p>Slots are stored with release order, and loaded with acquire order, by {@link #get} before an acquire fence. A
 * reader of a table that was replaced meanwhile sees what was true when its lookup began.
 */
final class NumberedFiles {
    private static final int LEAST_SLOTS = 16;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(PageFile[].class);

    private volatile PageFile[] slots = new PageFile[LEAST_SLOTS];
    /** Slots that are not null. */
    private int used;

    NumberedFiles() {
        set(slots, 0, null); // the JVM needs memory to link its call, and may have none when a store is owned
    }

    private static void set(PageFile[] table, int at, PageFile file) {
        SLOT.setRelease(table, at, file);
    }

    /** {@return the file that has a number, or had it last, or null} */
    PageFile get(int number) {
        PageFile[] table = slots;
        for (int at = slot(table, number); ; at = (at + 1) & (table.length - 1)) {
            PageFile file = table[at];
            VarHandle.acquireFence(); // access through a VarHandle would check the class of the array each time
            if (file == null || file.number() == number) {
                return file;
            }
        }
    }

    /** Makes room for a file, so that the next {@link #put} allocates nothing. */
    void reserve() {
        if (2 * (used + 1) > slots.length) {
            rehash();
        }
    }

    /** Adds a file, whose number is free. */
    void put(PageFile file) {
        reserve();
        used += put(slots, file);
    }

    private static int put(PageFile[] table, PageFile file) {
        for (int at = slot(table, file.number()); ; at = (at + 1) & (table.length - 1)) {
            PageFile found = (PageFile) SLOT.getAcquire(table, at);
            if (found == null || found.number() == file.number()) {
                set(table, at, file);
                return found == null ? 1 : 0;
            }
        }
    }

    private void rehash() {
        List<PageFile> present = present();
        int length = LEAST_SLOTS;
        while (length < 4 * (present.size() + 1)) {
            length *= 2;
        }
        PageFile[] grown = new PageFile[length];
        present.forEach(file -> put(grown, file));
        used = present.size();
        slots = grown;
    }

    /** {@return the files that are not gone, by number} */
    List<PageFile> present() {
        PageFile[] table = slots;
        List<PageFile> present = new ArrayList<>();
        for (int at = 0; at < table.length; at++) {
            PageFile file = (PageFile) SLOT.getAcquire(table, at);
            if (file != null && !file.isGone()) {
                present.add(file);
            }
        }
        present.sort(Comparator.comparingInt(PageFile::number));
        return present;
    }

    /** {@return the table: files that are gone, and nulls, among others; to be read only} */
    PageFile[] slots() {
        return slots;
    }

    /** Fibonacci hashing: neighbouring numbers, and multiples of powers of two, are spread alike. */
    private static int slot(PageFile[] table, int number) {
        return (number * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(table.length) + 1);
    }
}
