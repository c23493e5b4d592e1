// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A hash table of fixed size whose chains run through the entries themselves. A lookup reads the bucket, the entry
 * and its key, takes no lock and writes nothing. An insertion is one CAS and allocates nothing. A removal takes a
 * lock that some buckets share.
 *
 * <p>A <i>tag</i> is a number that equal keys have in common. A negative tag is a hash, so a lookup that finds it
 * compares the keys. Any other tag belongs to one key only, so a lookup does not read the key.
 *
 * <p>There are two to four buckets per entry of the capacity (at least 64), since each entry of another key on the
 * way costs a cache miss. The table does not grow: more entries make the chains longer.
 *
 * <p><b>Shared words.</b> A <i>bucket</i> holds the first entry of its chain, or null. It changes by CAS only: any
 * thread may replace the first entry by a new entry that links to it; a thread with the bucket's lock may replace it
 * by the second. Readers load it before an acquire fence, which pairs with the CAS, so they see the entry's fields.
 * The <i>next</i> word of an entry is written with release order: by the inserting thread before it publishes the
 * entry, and later, with the bucket's lock, to unlink the following entry. Readers load it with acquire order.
 *
 * <p><b>Correctness.</b> An entry is inserted at most once, at the front of its chain, and keeps its next word when
 * it is removed. A walk that stands on a removed entry therefore returns to the chain behind it, and meets every
 * entry that was in the chain during the whole walk. A bucket returns to an earlier first entry only when the entries
 * in front of it are removed. So an insertion whose CAS succeeds has seen the whole chain behind its entry, or
 * entries that were removed meanwhile, and inserts no key twice. Two concurrent removals of neighbours could link a
 * removed entry again, hence the lock.
 *
 * <p>A lookup finds each entry that was inserted before the lookup began and is not removed before it ends.
 * Thread-safe.
 *
 * @param <K> the keys
 * @param <N> the entries
 */
public final class ChainedTable<K, N extends ChainedTable.Node<K>> implements NodeTable<K, N> {
    private static final int LEAST_BITS = 6;
    private static final int GREATEST_BITS = 30;
    /** 2⁶⁴ divided by the golden ratio: spreads tags that follow each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int LOCKS = 64;
    private static final VarHandle BUCKET = MethodHandles.arrayElementVarHandle(Node[].class);

    private final Node<K>[] buckets;
    private final int shift;
    private final Object[] locks = new Object[LOCKS];

    /**
     * An entry; a subclass adds the value.
     *
     * @param <K> the keys
     */
    public abstract static class Node<K> {
        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Node.class, "next", Node.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final K key;
        private final long tag;

        @SuppressWarnings("unused") // through NEXT
        private Node<K> next;

        /**
         * Creates an entry that is in no table.
         *
         * @param key its key
         * @param tag the tag of the key
         */
        protected Node(K key, long tag) {
            this.key = key;
            this.tag = tag;
        }

        /** {@return the key} */
        public final K key() {
            return key;
        }

        /** {@return the tag of the key} */
        public final long tag() {
            return tag;
        }

        @SuppressWarnings("unchecked")
        private Node<K> next() {
            return (Node<K>) NEXT.getAcquire(this);
        }

        private void next(Node<K> node) {
            NEXT.setRelease(this, node);
        }

        @SuppressWarnings("ReferenceEquality") // before equals, which need not compare references first
        private boolean has(long soughtTag, Object sought) {
            return tag == soughtTag && (tag >= 0 || key == sought || key.equals(sought));
        }
    }

    /**
     * Creates an empty table.
     *
     * @param capacity the number of entries that the table is sized for
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public ChainedTable(int capacity) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(2L * capacity - 1);
        bits = Math.max(LEAST_BITS, Math.min(bits, GREATEST_BITS));
        this.buckets = new Node[1 << bits];
        this.shift = Long.SIZE - bits;
        Arrays.setAll(locks, i -> new Object());
    }

    @Override
    @SuppressWarnings("unchecked")
    public N get(K key, long tag) {
        for (Node<K> node = first(bucketOf(tag)); node != null; node = node.next()) {
            if (node.has(tag, key)) {
                return (N) node;
            }
        }
        return null;
    }

    @Override
    public boolean putIfAbsent(N entry) {
        Node<K> added = entry;
        int bucket = bucketOf(added.tag);
        for (; ; ) {
            Node<K> first = first(bucket);
            for (Node<K> node = first; node != null; node = node.next()) {
                if (node.has(added.tag, added.key)) {
                    return false;
                }
            }
            added.next(first);
            if (BUCKET.compareAndSet(buckets, bucket, first, added)) {
                return true;
            }
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // this entry, not an equal one
    public boolean remove(N entry) {
        Node<K> removed = entry;
        int bucket = bucketOf(removed.tag);
        synchronized (locks[bucket & (LOCKS - 1)]) {
            while (first(bucket) == removed) {
                if (BUCKET.compareAndSet(buckets, bucket, removed, removed.next())) {
                    return true;
                }
            }
            for (Node<K> before = first(bucket); before != null; before = before.next()) {
                if (before.next() == removed) {
                    before.next(removed.next());
                    return true;
                }
            }
            return false;
        }
    }

    /** Counts the entries. */
    @Override
    public int size() {
        int size = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            for (Node<K> node = first(bucket); node != null; node = node.next()) {
                size++;
            }
        }
        return size;
    }

    /** Uses a fence, since access through a VarHandle checks the class of the array each time. */
    private Node<K> first(int bucket) {
        Node<K> first = buckets[bucket];
        VarHandle.acquireFence();
        return first;
    }

    private int bucketOf(long tag) {
        return (int) ((tag * SPREAD) >>> shift);
    }
}
