// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.table.ChainedTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One binding of a key to a frame, made new for every miss and never used again, so that no thread can take a later
 * binding of the same frame or key for this one.
 *
 * <p>{@code holder} is null until it carries the key; a retired entry may lend its empty holder to the next one of the
 * frame, so a holder belongs to one frame for as long as it lives. The field is plain: it is written by the loading
 * thread before the frame becomes ready, and read by threads that have pinned the frame and found it ready; the CAS on
 * its state orders them. {@code retired} is written by the thread that owns the frame (its claim, or the loader's pin
 * on a frame that never became ready), after the holder has been cleared and before the key is unmapped. A thread that
 * pinned the frame and sees {@code retired} clear knows that the frame is bound to this entry for as long as it keeps
 * the pin. A thread that sees it set, pinned or not, may unmap the entry: it is written with release order and read
 * with acquire order or more, so that what {@code clear} did happens before a load of the same key. It is published
 * again with the frame, by a CAS, before a thread can pin that.
 */
final class Entry<K, V> extends ChainedTable.Node<K> {
    private static final VarHandle RETIRED;

    static {
        try {
            RETIRED = MethodHandles.lookup().findVarHandle(Entry.class, "retired", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int frame;
    V holder;
    private volatile boolean retired;

    Entry(K key, long tag, int frame) {
        super(key, tag);
        this.frame = frame;
    }

    void retire() {
        RETIRED.setRelease(this, true);
    }

    boolean isRetired() {
        return retired;
    }
}
