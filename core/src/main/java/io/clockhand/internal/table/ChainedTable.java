// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A hash table of fixed size whose chains run through the entries themselves: a look-up reads the bucket, the entry and
 * its key, takes no lock and writes nothing; an insertion is one CAS and allocates nothing; a removal takes a lock that
 * some buckets share.
 *
 * <p>A <i>tag</i> is a number that equal keys have in common. If it is negative it is a hash, and a look-up that meets it
 * compares the keys; any other belongs to one key, whose memory a look-up does not touch then.
 *
 * <p>The number of buckets is between two and four times the capacity (at least 64), since each entry of another key on
 * the way costs memory that is not in the processor's cache. More entries than that make the chains longer; the table
 * does not grow.
 *
 * <p><b>Shared words.</b> A <i>bucket</i> is the first entry of its chain or null. It is written by CAS only: from a
 * first entry to a new one that points to it, by anybody; from a first entry to the one behind it, under the bucket's
 * lock. It is read before an acquire fence, which pairs with the CAS, so an entry is seen complete. The <i>next</i> word of
 * an entry is written with release order: before the entry is published, by the thread that inserts it; later, under the
 * bucket's lock, to skip the entry behind it. It is read with acquire order.
 *
 * <p><b>Why it is right.</b> An entry is inserted at most once, in front of its chain, and its next word is left as it
 * is when it is removed. So whoever stands on a removed entry comes back to the chain behind it, and meets every entry
 * that was there from the beginning of its walk to the end. A bucket never has the same first entry again after another
 * one but for the one before it, by a removal; an insertion whose CAS succeeds has therefore seen all of the chain that
 * it goes in front of, or entries that are removed meanwhile: no key is there twice. Two removals of neighbours could
 * bring one back if they ran at once, hence the lock.
 *
 * <p>A call finds what was inserted before it began and not removed before it ended. Thread-safe.
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
     * An entry: extend it by what the key leads to.
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
         * Makes an entry that is in no table yet.
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
     * Makes an empty table.
     *
     * @param capacity so many entries it is made for
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
    @SuppressWarnings("ReferenceEquality") // the very entry
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

    /** Counts them. */
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

    /** Fences cost a look-up less than access through a VarHandle, which checks the class of the array each time. */
    private Node<K> first(int bucket) {
        Node<K> first = buckets[bucket];
        VarHandle.acquireFence();
        return first;
    }

    private int bucketOf(long tag) {
        return (int) ((tag * SPREAD) >>> shift);
    }
}
