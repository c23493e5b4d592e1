// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static io.clockhand.internal.table.PageRange.EMPTY;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntToLongFunction;

/**
 * A page table of arrays: the frame of a page is found by indices, without a hash. Neighbouring pages of a file lie in
 * one {@link Chunk}, sixteen to a cache line.
 *
 * <pre>
 *  root, by file ─ the file's directory ─ directories of a large file ─ chunk of 2,048 pages ─ frame + 1
 *
 *  hints: by the lower bits of the page's number ─ frame + 1, of this page or of another
 * </pre>
 *
 * <p>{@link #peek} looks into the <i>hints</i> alone ({@link FrameHints}): one load, whatever the depth of the tree,
 * and neighbouring pages have neighbouring hints, sixteen to a cache line. Nodes are created when a page of their range
 * is first mapped, and given back when no page of theirs was mapped for a while; {@link RangeTree} says when. Their
 * memory is bounded. Pages whose node has no space are mapped in a {@link ChainedPageTable}, the <i>overflow</i>, which
 * is created when it is first needed, and whose memory is not part of that bound.
 *
 * <p><b>Shared words</b> of chunks and directories ({@link PageRange}). In a chunk: from EMPTY to a frame + 1 by the
 * thread that maps a page, and back by the thread that unmaps it, both by CAS. In a directory: upwards by CAS of a
 * thread before it maps a page in the overflow; downwards by an atomic add after it has unmapped one; from EMPTY to
 * LINKED by CAS of the holder of the tree's lock, who also stores EMPTY again when the node is unlinked. In both: from
 * EMPTY to FROZEN by CAS of the holder, who stores EMPTY again if the node is not unlinked after all. Words are loaded
 * with acquire order. Children are written plainly and loaded before an acquire fence; the fields of a node that
 * readers use are final. Hints are racy, and only {@link #peek} relies on them.
 *
 * <p><b>Where a page is mapped.</b> The word of the lowest directory on its way decides: LINKED means in the chunk, a
 * number in the overflow. While pages are in the overflow the number is not zero, so no node can be linked; while a
 * node is linked, the word is no number. So a page never is in both, and goes from one to the other only by being
 * unmapped first. A lookup does not read the number, since other threads change it: where it finds no chunk it looks
 * into the overflow. If the page is mapped in a chunk meanwhile, it was absent in between, as the lookup says.
 *
 * <p><b>Nodes that are given back.</b> The garbage collector keeps a node while a thread refers to it. All words of an
 * unlinked node are FROZEN and stay so: a late thread cannot map a page there. A lookup that finds FROZEN says absent.
 * The node was linked when the lookup came to it. If the word was frozen before, the page was absent at that moment;
 * otherwise it was absent when the word was frozen. For the same reason a lookup may look into the overflow if its
 * directory has been unlinked. So a lookup walks once; but each must walk from the root, since a node that an earlier
 * one has found may have been unlinked before. No version is needed: an entry changes from a frame to EMPTY by a CAS of
 * the thread that unmaps this frame, which stays bound to the page meanwhile, so the frame cannot be mapped elsewhere.
 *
 * <p><b>Removals.</b> While a page is mapped, the nodes on its way stay linked. But a truncation removes the page of a
 * frame that another thread may be about to map, so the page may be mapped after the removal has walked, under a
 * directory that is new. So a removal from the overflow walks again before it lowers the number: it still counts the
 * page, so its directory is linked and has no child there.
 *
 * <p><b>Progress.</b> A find walks once, and waits only for the overflow, as {@link ChainedPageTable} says. An
 * insertion that meets FROZEN, or LINKED without a node, waits for the thread that changes the structure: at most for
 * the freezing of one node.
 *
 * <p><b>Failures.</b> If a call runs out of stack between a change of the overflow and that of its number, the number
 * stays too large: later pages of that range go into the overflow, too. Memory is allocated before anything changes.
 *
 * <p>Source: X. Zhou, J. Hu, A. Pavlo, M. Stonebraker, Making Array-Based Translation Practical for Modern,
 * High-Performance Buffer Management, arXiv 2604.00423, 2026: multi-level arrays in user space, path caching, and
 * reclaiming of cold parts.
 */
public final class ArrayPageTable implements PageTable {
    /** A chunk has this power of two of pages. */
    private static final int CHUNK_BITS = 11;

    /** A thread that has met a change of the structure so often gives up. */
    private static final int GREATEST_TRIES = 1 << 24;

    /** By the lower bits of a page's number: see {@link FrameHints}. */
    private final int[] hints;

    private final RangeTree tree;
    private final int frames;
    private final IntToLongFunction idOf;
    /** The average number of insertions from one visit of the hand to the next; 0 for no visits. */
    private final int insertions;

    /** Created once, under the lock of this. */
    private volatile ChainedPageTable overflow;

    /**
     * Creates an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame is bound to; a thread binds a frame before it maps it
     * @param maxBytes the bound of the memory of chunks and directories, about; hints and overflow are not part of it
     */
    public ArrayPageTable(int frames, IntToLongFunction idOf, long maxBytes) {
        this(frames, idOf, maxBytes, CHUNK_BITS, RangeTree.INSERTIONS);
    }

    /**
     * As {@link #ArrayPageTable(int, IntToLongFunction, long)}, with chunks of another size, so that a test reaches
     * every state with few pages.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame is bound to
     * @param maxBytes the bound of the memory of chunks and directories
     * @param chunkBits the pages of a chunk, as a power of two
     * @param insertions the average number of insertions from one visit of the hand to the next; 0 if only {@link
     *     #sweep} makes visits
     */
    public ArrayPageTable(int frames, IntToLongFunction idOf, long maxBytes, int chunkBits, int insertions) {
        this.frames = frames;
        this.idOf = idOf;
        this.hints = FrameHints.create(frames);
        this.insertions = insertions;
        this.tree = new RangeTree(chunkBits, maxBytes);
    }

    // --- lookups -----------------------------------------------------------------------------------------------------

    /** {@return the hint, which may be the frame of another page} */
    @Override
    public int peek(long id) {
        return FrameHints.get(hints, id);
    }

    @Override
    public int find(long id) {
        if (id < 0) {
            return NONE; // it has a bit more than the indices use
        }
        PageRange range = lowest(id);
        int frame;
        if (range instanceof Chunk) {
            frame = frameIn(range.word(range.index(id)));
        } else {
            ChainedPageTable others = overflow; // the directory's number is not read: other threads change it
            frame = others == null ? NONE : others.find(id);
        }
        if (frame != NONE) {
            FrameHints.offer(hints, id, frame);
        }
        return frame;
    }

    private static int frameIn(int word) {
        return Math.max(word, EMPTY) - 1;
    }

    /** {@return the lowest node on the way to a page: its chunk, or a directory that had no node for it} */
    private PageRange lowest(long id) {
        Directory directory = tree.root();
        for (; ; ) {
            PageRange child = directory.child(directory.index(id));
            if (child == null) {
                return directory;
            }
            if (child instanceof Chunk chunk) {
                return chunk;
            }
            directory = (Directory) child;
        }
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    @Override
    public int putIfAbsent(long id, int frame) {
        visit();
        for (int tries = 0; ; tries++) {
            PageRange range = lowest(id);
            int at = range.index(id);
            int word = range.word(at);
            if (word < 0) {
                if (tries == GREATEST_TRIES) {
                    throw new IllegalStateException("a range of the page table stays frozen: gave up after " + tries
                            + " tries to map page " + id);
                }
                tree.awaitChange();
            } else if (range instanceof Chunk chunk) {
                if (word > 0) {
                    return frameIn(word);
                }
                if (chunk.cas(at, EMPTY, frame + 1)) {
                    FrameHints.setIfUnused(hints, id, frame);
                    chunk.use();
                    return NONE;
                }
            } else if (word == EMPTY && tree.hasSpace(((Directory) range).childBytes(at))) {
                tree.tryLink((Directory) range, id);
            } else {
                ensureOverflow(id, frame);
                if (range.cas(at, word, word + 1)) {
                    return putIntoOverflow(range, at, id, frame);
                }
            }
        }
    }

    private int putIntoOverflow(PageRange directory, int at, long id, int frame) {
        int found = frame; // if it throws, the page is not mapped either
        try {
            found = overflow.putIfAbsent(id, frame);
        } finally {
            if (found != NONE) {
                directory.decrement(at);
            }
        }
        if (found == NONE) {
            FrameHints.setIfUnused(hints, id, frame);
        }
        return found;
    }

    private void ensureOverflow(long id, int frame) {
        if (overflow == null) {
            synchronized (this) {
                if (overflow == null) {
                    ChainedPageTable created = new ChainedPageTable(frames, idOf);
                    created.putIfAbsent(id, frame); // once, so that later calls need no memory
                    created.remove(id, frame);
                    overflow = created;
                }
            }
        }
    }

    @Override
    public boolean remove(long id, int frame) {
        PageRange range = lowest(id);
        boolean removed =
                range instanceof Chunk ? range.cas(range.index(id), frame + 1, EMPTY) : removeFromOverflow(id, frame);
        FrameHints.clear(hints, id, frame); // last: until then a lookup may set it
        return removed;
    }

    private boolean removeFromOverflow(long id, int frame) {
        ChainedPageTable others = overflow;
        if (others == null || !others.remove(id, frame)) {
            return false;
        }
        PageRange counting = lowest(id); // not the node of the first walk: the page may have been mapped since
        counting.decrement(counting.index(id));
        return true;
    }

    /** By chance: frame numbers and ids that come again and again could leave the hand where it is. */
    private void visit() {
        if (insertions != 0 && ThreadLocalRandom.current().nextInt(insertions) == 0) {
            sweep();
        }
    }

    /** Makes the hand visit the next node, and unlink it if it has had no page for a round. */
    public void sweep() {
        tree.sweep();
    }

    // --- sizes -------------------------------------------------------------------------------------------------------

    @Override
    public int size() {
        ChainedPageTable others = overflow;
        return mapped(tree.root()) + (others == null ? 0 : others.size());
    }

    private static int mapped(PageRange range) {
        int pages = 0;
        if (range instanceof Directory directory) {
            for (PageRange child : directory.children) {
                pages += child == null ? 0 : mapped(child);
            }
        } else {
            for (int page = 0; page < range.words.length; page++) {
                pages += range.word(page) > 0 ? 1 : 0;
            }
        }
        return pages;
    }

    @Override
    public long bytes() {
        ChainedPageTable others = overflow;
        return tree.bytes() + (long) hints.length * Integer.BYTES + (others == null ? 0 : others.bytes());
    }
}
