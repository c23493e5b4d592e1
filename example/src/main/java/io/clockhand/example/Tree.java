// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.MultiPageUpdate;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageView;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import io.clockhand.wal.LogFile;
import java.io.IOException;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * Shows a B+-tree that many threads read and change: descents that latch nothing, and splits that change three pages in
 * one update. Sources: Leis, Haubenschild, Neumann, Optimistic Lock Coupling, IEEE Data Engineering Bulletin 42(1),
 * 2019; for the tree latch, Mohan, Levine, ARIES/IM, SIGMOD 1992; for scans without links between leaves, Graefe,
 * Write-Optimized B-Trees, VLDB 2004.
 *
 * <p>The root is page 0 for ever. Nodes are neither merged nor freed: a leaf whose entries are all gone stays.
 *
 * <p><b>Descents.</b> A thread reads node after node without a latch. It validates the child, then the parent again.
 * So the child is the right one, since a split changes both in one update. If a node has changed, the descent begins
 * anew; after some failures it takes the tree latch.
 *
 * <p><b>Splits</b> go one at a time: the tree latch is a lock that a thread holds while it splits nodes, so no other
 * thread changes inner nodes meanwhile. A thread takes it only while it has no page latched. A thread that waits for a
 * page holds latches of pages above it only, so no threads wait for each other in a circle. A page is created only
 * under the tree latch; so if a crash leaves pages that are in no node, they are the last ones of the file.
 */
final class Tree {
    /** How many optimistic descents fail before the tree latch is taken. */
    private static final int TRIES = 8;

    private static final long ROOT = 0;

    private final BufferPool pool;
    private final PagedFile file;
    private final LogFile log;
    private final ReentrantLock treeLatch = new ReentrantLock();
    /** The number of pages of the tree. The file may have more, of undone splits, which the next splits use. */
    volatile long pages;

    Tree(BufferPool pool, PagedFile file, LogFile log) {
        this.pool = pool;
        this.file = file;
        this.log = log;
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /** The first slot that is not below a key, and the first key behind the leaf, or null if it is the last one. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares leaves
    record Leaf(int slot, byte[] high) {}

    /** {@return the value of a key} */
    Optional<byte[]> get(byte[] key) throws IOException {
        return read(key, false, (leaf, high) -> {
            int slot = Node.find(leaf, key);
            return slot < 0 ? Optional.empty() : Optional.of(Node.value(leaf, slot));
        });
    }

    /** Copies the leaf of a key. */
    Leaf leaf(byte[] key, byte[] copy) throws IOException {
        return read(key, true, (leaf, high) -> {
            leaf.getBytes(0, copy, 0, copy.length);
            int slot = Node.find(leaf, key);
            return new Leaf(slot < 0 ? -1 - slot : slot, high);
        });
    }

    /** {@return what a function makes of a leaf, whose bytes may change meanwhile, and of the first key behind it} */
    private <R> R read(byte[] key, boolean wantsHigh, BiFunction<PageView, byte[], R> function) throws IOException {
        Use<R> optimistic = descent -> {
            R result = function.apply(descent.node, descent.high);
            return descent.node.validateAndRelease() ? result : null;
        };
        Use<R> latched = descent -> {
            try (PageGuard leaf = pool.fix(descent.toLeaf())) {
                return function.apply(leaf, descent.high);
            }
        };
        return descend(key, wantsHigh, 0, optimistic, latched);
    }

    // --- descents ----------------------------------------------------------------------------------------------------

    /** Uses the node at the end of a descent. Returns null if something has changed, so the descent begins anew. */
    private interface Use<R> {
        R apply(Descent descent) throws IOException;
    }

    /** Goes down to a level without latches; after some failures goes to the leaf, with the tree latch. */
    private <R> R descend(byte[] key, boolean wantsHigh, int level, Use<R> use, Use<R> latched) throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            try (Descent descent = new Descent(key, wantsHigh)) {
                R result = descent.tryTo(level) ? use.apply(descent) : null;
                if (result != null) {
                    return result;
                }
            } catch (IndexOutOfBoundsException e) {
                // The bytes were changing. If they were not, a node is damaged, and what follows throws this again.
            }
        }
        treeLatch.lock();
        try {
            return latched.apply(new Descent(key, wantsHigh));
        } finally {
            treeLatch.unlock();
        }
    }

    /** The way from the root to the node of a key. */
    private final class Descent implements AutoCloseable {
        private OptimisticPage node = pool.newOptimisticPage();
        private OptimisticPage parent = pool.newOptimisticPage();
        private final byte[] key;
        private final boolean wantsHigh;
        /** The first key that is too great for the node, if wanted; null if none is. */
        private byte[] high;

        Descent(byte[] key, boolean wantsHigh) {
            this.key = key;
            this.wantsHigh = wantsHigh;
        }

        /**
         * Reads the node of a level, or the root if the tree is lower. The node is not validated then, and none above
         * it has changed. {@return false if something has changed}
         */
        boolean tryTo(int level) throws IOException {
            node.read(file.id(ROOT));
            int at = Node.level(node);
            while (at > level) {
                long child = follow(node);
                if (!node.validate()) { // first: what is not validated must not be followed
                    return false;
                }
                OptimisticPage former = parent;
                parent = node;
                node = former;
                node.read(file.id(child));
                int below = Node.level(node);
                if (!node.validate() || !parent.validateAndRelease()) { // the child, then the parent
                    return false;
                }
                if (below != at - 1) {
                    throw new IOException(
                            "page " + child + " of " + file.name() + " is damaged: its level is " + below);
                }
                at = below;
            }
            return true;
        }

        /** {@return the id of the leaf} The thread has the tree latch. */
        long toLeaf() throws IOException {
            long id = file.id(ROOT);
            while (true) {
                try (PageGuard inner = pool.fix(id)) {
                    if (Node.level(inner) == 0) {
                        return id;
                    }
                    id = file.id(follow(inner));
                }
            }
        }

        private long follow(PageView inner) {
            int slot = Node.findChild(inner, key);
            if (wantsHigh && slot + 1 < Node.count(inner)) {
                high = Node.key(inner, slot + 1);
            }
            return Node.child(inner, slot);
        }

        /** Releases latches, if the readers had to take any: the child's first. */
        @Override
        public void close() {
            node.close();
            parent.close();
        }
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    /** Refuses an entry that is too large. */
    void check(byte[] key, int valueLength) {
        int bytes = Node.entryBytes(key.length, valueLength);
        if (bytes > Node.greatestEntry(pool.pageBytes())) {
            throw new IllegalArgumentException("key and value need " + bytes + " bytes, more than a quarter of a page");
        }
    }

    /**
     * Gives a key a value, or removes it if the value is null, and appends the record of that. The transaction has
     * locked the key.
     *
     * @return the record; null if there was nothing to remove
     */
    LogRecord.Change change(long transaction, boolean isCompensation, byte[] key, byte[] value) throws IOException {
        while (true) {
            try (WritablePage leaf = latchLeaf(key)) {
                int slot = Node.find(leaf, key);
                byte[] old = slot < 0 ? null : Node.value(leaf, slot);
                if (old == null && value == null) {
                    return null;
                }
                if (Node.fits(leaf, slot, key, value)) {
                    long page = PageId.page(leaf.id());
                    LogRecord.Change record = new LogRecord.Change(transaction, isCompensation, page, key, value, old);
                    leaf.beginUpdate();
                    Node.set(
                            leaf, slot, key,
                            value); // before the append: if it fails, there is no record to be taken back
                    leaf.endUpdate(log.append(record.pack()));
                    return record;
                }
            }
            makeSpace(key, Node.entryBytes(key.length, value.length));
        }
    }

    /** Takes back the changes of a transaction, the last one first, and ends it. May be called again if it fails. */
    void undo(long transaction, Deque<LogRecord.Change> changes) throws IOException {
        while (!changes.isEmpty()) {
            change(transaction, true, changes.peek().key(), changes.peek().old());
            changes.pop(); // after it was taken back
        }
        log.append(new LogRecord.End(transaction).pack()); // not durable: recovery would undo the same
    }

    /** {@return the leaf of a key, latched exclusively} */
    private WritablePage latchLeaf(byte[] key) throws IOException {
        return descend(key, false, 1, this::tryLatchLeaf, descent -> pool.fixExclusive(descent.toLeaf()));
    }

    /** Latches the leaf below the node of a descent; or the root, if that is the leaf. */
    private WritablePage tryLatchLeaf(Descent descent) throws IOException {
        OptimisticPage parent = descent.node;
        boolean rootIsLeaf = Node.level(parent) == 0;
        long child = rootIsLeaf ? ROOT : descent.follow(parent);
        if (!parent.validate()) {
            return null;
        }
        if (rootIsLeaf) {
            parent.close(); // it may have the latch of the root, which is not reentrant
        }
        WritablePage leaf = pool.fixExclusive(file.id(child));
        if (rootIsLeaf ? Node.level(leaf) == 0 : parent.validateAndRelease()) {
            return leaf;
        }
        leaf.close();
        return null;
    }

    // --- splits ------------------------------------------------------------------------------------------------------

    /** Splits nodes until the leaf of a key has some free bytes. */
    private void makeSpace(byte[] key, int bytes) throws IOException {
        treeLatch.lock();
        try {
            while (trySplit(key, bytes)) {
                // until none is full
            }
        } finally {
            treeLatch.unlock();
        }
    }

    /**
     * Splits the first full node on the way to the leaf of a key. The nodes above it are not full, so its parent has
     * space for one child more. {@return false if none is full}
     */
    private boolean trySplit(byte[] key, int bytes) throws IOException {
        long parent = ROOT;
        long page = ROOT;
        while (true) {
            try (PageGuard node = pool.fix(file.id(page))) {
                boolean isLeaf = Node.level(node) == 0;
                if (Node.free(node) < (isLeaf ? bytes : Node.greatestEntry(pool.pageBytes()) + Long.BYTES)) {
                    break;
                }
                if (isLeaf) {
                    return false;
                }
                parent = page;
                page = Node.child(node, Node.findChild(node, key));
            }
        }
        if (page == ROOT) {
            grow();
        } else {
            split(parent, page);
        }
        return true;
    }

    /** Moves the upper half of a node to a new page on its right. */
    private void split(long parentPage, long nodePage) throws IOException {
        try (WritablePage parent = pool.fixExclusive(file.id(parentPage));
                WritablePage node = pool.fixExclusive(file.id(nodePage));
                WritablePage right = newPage();
                MultiPageUpdate update = pool.beginUpdate(parent, node, right)) {
            if (Node.count(node) < 2) {
                return; // other threads have removed entries of this leaf since it was full
            }
            long number = pages;
            int middle = Node.middle(node);
            byte[] separator = Node.separator(node, middle);
            Node.format(right, Node.level(node));
            Node.copy(node, middle, right);
            Node.cut(node, middle);
            Node.addChild(parent, separator, number);
            byte[] image = Node.image(right);
            LogRecord record = new LogRecord.Split(nodePage, middle, number, parentPage, image, separator);
            update.endUpdate(log.append(record.pack()));
            pages = number + 1;
        }
    }

    /** Moves the root to a new page, and makes it the parent of that page. */
    private void grow() throws IOException {
        try (WritablePage root = pool.fixExclusive(file.id(ROOT));
                WritablePage left = newPage();
                MultiPageUpdate update = pool.beginUpdate(root, left)) {
            long number = pages;
            byte[] image = Node.image(root);
            Node.putImage(left, image);
            Node.format(root, Node.level(left) + 1);
            Node.addChild(root, new byte[0], number);
            update.endUpdate(log.append(new LogRecord.Grow(number, image).pack()));
            pages = number + 1;
        }
    }

    /** {@return the next page for the tree: one that an undone split has left, or a new one} */
    private WritablePage newPage() throws IOException {
        return pages < file.pages() ? pool.fixExclusive(file.id(pages)) : file.create();
    }

    // --- creation and redo -------------------------------------------------------------------------------------------

    /** Makes an empty tree. It needs no record: the store exists when the master record does, which comes later. */
    void create() throws IOException {
        file.truncate(0);
        try (WritablePage root = file.create()) {
            root.beginUpdate();
            Node.format(root, 0);
            root.endUnloggedUpdate();
        }
        pages = 1;
    }

    /** Repeats what a record describes, in those of its pages that lack it. */
    void redo(long lsn, LogRecord record) throws IOException {
        if (record instanceof LogRecord.Change change) {
            try (WritablePage leaf = pool.fixExclusive(file.id(change.page()))) {
                leaf.redo(lsn, page -> Node.set(page, change.key(), change.value()));
            }
        } else if (record instanceof LogRecord.Split split) {
            redoNewPage(lsn, split.right(), split.image());
            try (WritablePage node = pool.fixExclusive(file.id(split.node()))) {
                node.redo(lsn, page -> Node.cut(page, split.slot()));
            }
            try (WritablePage parent = pool.fixExclusive(file.id(split.parent()))) {
                parent.redo(lsn, page -> Node.addChild(page, split.separator(), split.right()));
            }
        } else if (record instanceof LogRecord.Grow grow) {
            int level = redoNewPage(lsn, grow.left(), grow.image());
            try (WritablePage root = pool.fixExclusive(file.id(ROOT))) {
                root.redo(lsn, page -> {
                    Node.format(page, level + 1);
                    Node.addChild(page, new byte[0], grow.left());
                });
            }
        }
    }

    /** {@return the level of the image} */
    private int redoNewPage(long lsn, long number, byte[] image) throws IOException {
        try (WritablePage created = file.redoCreation(lsn, number)) {
            created.redo(lsn, page -> Node.putImage(page, image));
            pages = Math.max(pages, number + 1);
            return Node.level(created);
        }
    }

    /** Ends the redo: pages that were created, but whose records are lost, are not in the tree. */
    void endRedo() throws IOException {
        file.truncate(pages);
    }
}
