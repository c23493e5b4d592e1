// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.page.PageView;
import io.clockhand.page.WritablePage;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Shows how entries of any length lie in a page, and are changed in place: a slotted page. Sources: Gray, Reuter,
 * Transaction Processing, 1993; for the separators of a split, Bayer, Unterauer, Prefix B-Trees, TODS 2(1),
 * 1977.
 *
 * <pre>
 *   0        8      10      12     14       16                                              size − 4
 *   | LSN    |level | count | cells|garbage | slot 0 | slot 1 | … →    free    ← … | cell | cell |checksum|
 * </pre>
 *
 * <p>A slot has two bytes, which say where in the page its cell begins. The slots are in the order of their keys, the
 * cells are in none. A cell is the length of the key, the length of the value, in two bytes each, the key, and the
 * value. In a leaf, which has level 0, it is an entry of the store. In an inner node it is a child: the value is the
 * number of its page, and the key is not greater than any key below it. The first key of a level is empty.
 *
 * <p>A cell that is removed becomes garbage; when the free bytes no longer suffice for a new cell, the node is
 * compacted. Each change depends only on the entries of the node and not on where they lie, so redo may repeat it in a
 * node that was compacted at another time.
 *
 * <p>The methods that read also work on a page that is read optimistically: with wrong bytes they return something
 * wrong, or throw an {@link IndexOutOfBoundsException}, but always end, and allocate at most 64 KiB for a key or value.
 */
final class Node {
    static final int LSN = 0;

    private static final int LEVEL = 8;
    private static final int COUNT = 10;
    private static final int CELLS = 12;
    private static final int GARBAGE = 14;
    private static final int SLOTS = 16;
    private static final int SLOT_BYTES = PageView.HEADED_SLOT_BYTES;

    private static final int KEY_LENGTH = 0;
    private static final int VALUE_LENGTH = 2;
    private static final int CELL_HEADER = 4;

    private Node() {}

    // --- reading -----------------------------------------------------------------------------------------------------

    /** {@return where the checksum lies, and the cells end} */
    static int end(int pageBytes) {
        return pageBytes - ChecksummedPageStore.CHECKSUM_BYTES;
    }

    /** {@return the space that an entry may take: a quarter of a node, so that a split always makes enough} */
    static int greatestEntry(int pageBytes) {
        return (end(pageBytes) - SLOTS) / 4;
    }

    /** {@return the space that an entry takes, with its slot} */
    static int entryBytes(int keyLength, int valueLength) {
        return SLOT_BYTES + CELL_HEADER + keyLength + valueLength;
    }

    static int level(PageView node) {
        return node.getUnsignedByte(LEVEL);
    }

    static int count(PageView node) {
        return node.getUnsignedShort(COUNT);
    }

    /** {@return the space for new entries, garbage included} */
    static int free(PageView node) {
        return node.getUnsignedShort(CELLS) - SLOTS - SLOT_BYTES * count(node) + node.getUnsignedShort(GARBAGE);
    }

    /** {@return the slot of a key; or −1 − i if the node does not have it, where i is the slot that it would get} */
    static int find(PageView node, byte[] key) {
        return node.searchHeadedSlots(SLOTS, count(node), KEY_LENGTH, CELL_HEADER, key, 0, key.length);
    }

    /** {@return the slot of the child of an inner node under which a key belongs} */
    static int findChild(PageView node, byte[] key) {
        int slot = find(node, key);
        return slot >= 0 ? slot : -2 - slot;
    }

    private static int cell(PageView node, int slot) {
        return node.getUnsignedShort(SLOTS + SLOT_BYTES * slot);
    }

    private static int cellBytes(PageView node, int cell) {
        return CELL_HEADER + keyLength(node, cell) + valueLength(node, cell);
    }

    private static int keyLength(PageView node, int cell) {
        return node.getUnsignedShort(cell + KEY_LENGTH);
    }

    private static int valueLength(PageView node, int cell) {
        return node.getUnsignedShort(cell + VALUE_LENGTH);
    }

    static byte[] key(PageView node, int slot) {
        int cell = cell(node, slot);
        byte[] key = new byte[keyLength(node, cell)];
        node.getBytes(cell + CELL_HEADER, key, 0, key.length);
        return key;
    }

    static byte[] value(PageView node, int slot) {
        int cell = cell(node, slot);
        byte[] value = new byte[valueLength(node, cell)];
        node.getBytes(cell + CELL_HEADER + keyLength(node, cell), value, 0, value.length);
        return value;
    }

    static long child(PageView node, int slot) {
        int cell = cell(node, slot);
        return node.getLong(cell + CELL_HEADER + keyLength(node, cell));
    }

    /** Visits entries of a copied leaf, from a slot on and up to a key. {@return whether the visitor wants more} */
    static boolean visit(byte[] leaf, int from, byte[] to, Transaction.EntryVisitor visitor) {
        for (int slot = from; slot < unsignedShort(leaf, COUNT); slot++) {
            int cell = unsignedShort(leaf, SLOTS + SLOT_BYTES * slot);
            int key = cell + CELL_HEADER;
            int value = key + unsignedShort(leaf, cell + KEY_LENGTH);
            if ((to != null && Arrays.compareUnsigned(leaf, key, value, to, 0, to.length) >= 0)
                    || !visitor.visit(leaf, key, value - key, value, unsignedShort(leaf, cell + VALUE_LENGTH))) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether a key, which has this slot or would get it, can have this value; null removes it} */
    static boolean fits(PageView node, int slot, byte[] key, byte[] value) {
        int freed = slot >= 0 ? SLOT_BYTES + cellBytes(node, cell(node, slot)) : 0;
        return value == null || free(node) + freed >= entryBytes(key.length, value.length);
    }

    // --- changes, the same in the first run and in redo --------------------------------------------------------------

    /** Makes an empty node. */
    static void format(WritablePage node, int level) {
        node.putByte(LEVEL, (byte) level);
        node.putShort(COUNT, (short) 0);
        node.putShort(CELLS, (short) end(node.pageBytes()));
        node.putShort(GARBAGE, (short) 0);
    }

    /** Gives a key a value, or removes the key if the value is null. */
    static void set(WritablePage node, byte[] key, byte[] value) {
        set(node, find(node, key), key, value);
    }

    /** The same, for the result of {@link #find}. */
    static void set(WritablePage node, int slot, byte[] key, byte[] value) {
        if (slot >= 0 && value != null && valueLength(node, cell(node, slot)) == value.length) {
            node.putBytes(cell(node, slot) + CELL_HEADER + key.length, value, 0, value.length);
            return;
        }
        if (slot >= 0) {
            remove(node, slot);
        }
        if (value != null) {
            insert(node, slot >= 0 ? slot : -1 - slot, key, value);
        }
    }

    static void addChild(WritablePage node, byte[] key, long child) {
        set(node, key, ByteBuffer.allocate(Long.BYTES).putLong(child).array());
    }

    private static void remove(WritablePage node, int slot) {
        int bytes = cellBytes(node, cell(node, slot));
        int count = count(node) - 1;
        int at = SLOTS + SLOT_BYTES * slot;
        node.putBytes(at, node, at + SLOT_BYTES, SLOT_BYTES * (count - slot));
        node.putShort(COUNT, (short) count);
        node.putShort(GARBAGE, (short) (node.getUnsignedShort(GARBAGE) + bytes));
    }

    private static void insert(WritablePage node, int slot, byte[] key, byte[] value) {
        int count = count(node);
        int bytes = CELL_HEADER + key.length + value.length;
        if (node.getUnsignedShort(CELLS) - SLOTS - SLOT_BYTES * (count + 1) < bytes) {
            compact(node);
        }
        int cell = node.getUnsignedShort(CELLS) - bytes;
        node.putShort(cell + KEY_LENGTH, (short) key.length);
        node.putShort(cell + VALUE_LENGTH, (short) value.length);
        node.putBytes(cell + CELL_HEADER, key, 0, key.length);
        node.putBytes(cell + CELL_HEADER + key.length, value, 0, value.length);
        int at = SLOTS + SLOT_BYTES * slot;
        node.putBytes(at + SLOT_BYTES, node, at, SLOT_BYTES * (count - slot));
        node.putShort(at, (short) cell);
        node.putInt(at + Short.BYTES, PageView.head(key, 0, key.length));
        node.putShort(COUNT, (short) (count + 1));
        node.putShort(CELLS, (short) cell);
    }

    private static void compact(WritablePage node) {
        byte[] old = new byte[node.pageBytes()];
        node.getBytes(0, old, 0, old.length);
        int to = end(old.length);
        for (int slot = 0; slot < count(node); slot++) {
            int cell = cell(node, slot);
            int bytes = CELL_HEADER + unsignedShort(old, cell + KEY_LENGTH) + unsignedShort(old, cell + VALUE_LENGTH);
            to -= bytes;
            node.putBytes(to, old, cell, bytes);
            node.putShort(SLOTS + SLOT_BYTES * slot, (short) to);
        }
        node.putShort(CELLS, (short) to);
        node.putShort(GARBAGE, (short) 0);
    }

    private static int unsignedShort(byte[] bytes, int offset) {
        return ((bytes[offset] & 0xff) << Byte.SIZE) | (bytes[offset + 1] & 0xff);
    }

    // --- splits ------------------------------------------------------------------------------------------------------

    /** {@return the first slot of the upper half, by bytes; the node has two entries at least} */
    static int middle(PageView node) {
        int half = (end(node.pageBytes()) - node.getUnsignedShort(CELLS) - node.getUnsignedShort(GARBAGE)) / 2;
        int slot = 0;
        int lower = 0;
        do {
            lower += cellBytes(node, cell(node, slot++));
        } while (slot < count(node) - 1 && lower < half);
        return slot;
    }

    /** {@return the shortest key that is greater than all before a slot, and not greater than the one there} */
    static byte[] separator(PageView node, int slot) {
        byte[] key = key(node, slot);
        int same = Arrays.mismatch(key(node, slot - 1), key);
        return level(node) > 0 ? key : Arrays.copyOf(key, Math.min(key.length, same + 1));
    }

    /** Copies the entries from a slot on to an empty node. */
    static void copy(PageView node, int from, WritablePage right) {
        for (int slot = from; slot < count(node); slot++) {
            insert(right, slot - from, key(node, slot), value(node, slot));
        }
    }

    /** Removes the entries from a slot on. */
    static void cut(WritablePage node, int from) {
        int bytes = node.getUnsignedShort(GARBAGE);
        for (int slot = from; slot < count(node); slot++) {
            bytes += cellBytes(node, cell(node, slot));
        }
        node.putShort(COUNT, (short) from);
        node.putShort(GARBAGE, (short) bytes);
    }

    /** {@return the bytes of a node that are in use, for the log} */
    static byte[] image(PageView node) {
        int cells = node.getUnsignedShort(CELLS);
        int head = SLOTS + SLOT_BYTES * count(node) - LEVEL;
        byte[] image = new byte[head + end(node.pageBytes()) - cells];
        node.getBytes(LEVEL, image, 0, head);
        node.getBytes(cells, image, head, image.length - head);
        return image;
    }

    static void putImage(WritablePage node, byte[] image) {
        int head = SLOTS + SLOT_BYTES * unsignedShort(image, COUNT - LEVEL) - LEVEL;
        node.putBytes(LEVEL, image, 0, head);
        node.putBytes(end(node.pageBytes()) - (image.length - head), image, head, image.length - head);
    }
}
