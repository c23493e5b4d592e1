// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static io.clockhand.internal.table.PageRange.EMPTY;
import static io.clockhand.internal.table.PageRange.FROZEN;

import java.lang.invoke.VarHandle;
import java.util.function.IntToLongFunction;

/**
 * A page table of arrays: the frame of a page is found by indices, without a hash. Neighbouring pages of a file lie in
 * one {@link Chunk}, sixteen to a cache line.
 *
 * <pre>
 *  root ─ by file ─ by file ─ by magnitude ─ directories ─ chunk of 2,048 pages ─ frame + 1
 *                                                              ▲
 *  shortcuts: by the lower bits of the chunk's number ─────────┘
 * </pre>
 *
 * <p>A lookup usually takes a <i>shortcut</i> to the chunk instead of the way through the directories. Nodes are
 * created when a page of their range is first mapped, and given back when no page of theirs was mapped for a while;
 * {@link RangeTree} says when. Their memory is bounded. Pages whose node has no space are mapped in a {@link
 * ChainedPageTable}, the <i>overflow</i>, which is created when it is first needed, and whose memory is not part of
 * that bound.
 *
 * <p><b>Shared words.</b> The words of chunks and directories ({@link PageRange}) change by CAS: in a chunk from EMPTY
 * to a frame + 1 by the thread that maps a page, and back by the thread that unmaps it; in a directory, upwards by a
 * thread before it maps a page in the overflow, downwards after it has unmapped one, and from EMPTY to LINKED by the
 * holder of the tree's lock. The holder also changes LINKED back, EMPTY to FROZEN by CAS, and FROZEN back. Words are
 * loaded with acquire order. Children and shortcuts are written plainly and loaded before an acquire fence; what a
 * reader needs of a node is final.
 *
 * <p><b>Where a page is mapped.</b> The word of the lowest directory on its way decides: LINKED means in the chunk, a
 * number in the overflow. While pages are in the overflow the number is not zero, so no node can be linked; while a
 * node is linked, the word is no number. So a page never is in both, and goes from one to the other only by being
 * unmapped first. A lookup that looks into one, and then into the other, may miss a page that was mapped anew in
 * between, and says then that it was absent, as it was.
 *
 * <p><b>Nodes that are given back.</b> The garbage collector keeps a node while a thread refers to it. All words of an
 * unlinked node are FROZEN and stay so: a late thread cannot map a page there, and a late lookup finds FROZEN and
 * begins anew. So an EMPTY word says that its chunk is linked, and the page absent. A lookup that finds FROZEN in a node
 * that is still linked says absent, too: until the node is thawed or unlinked no page can be mapped there.
 * No version is needed: an entry changes from a frame to EMPTY by a CAS of the thread that unmaps this frame, which
 * stays bound to the page meanwhile, so the frame cannot be mapped elsewhere.
 *
 * <p><b>Progress.</b> A find never waits; it repeats its walk only if a node was unlinked meanwhile. An insertion that
 * meets FROZEN, or LINKED without a node, waits for the thread that changes the structure: at most the freezing of one
 * node. Insertions in the overflow, and removals from it, may wait as {@link ChainedPageTable} says.
 *
 * <p><b>Failures.</b> If a call runs out of stack between a change of the overflow and that of its number, the number
 * stays too large: the pages of that range remain in the overflow. Memory runs out before anything has changed.
 *
 * <p>Source: X. Zhou, J. Hu, A. Pavlo, M. Stonebraker, Making Array-Based Translation Practical for Modern,
 * High-Performance Buffer Management, arXiv 2604.00423, 2026: multi-level arrays in user space, path caching, and
 * reclaiming of cold parts.
 */
public final class ArrayPageTable implements PageTable {
    /** A chunk has this power of two of pages. */
    private static final int CHUNK_BITS = 11;

    private static final int MOST_SHORTCUTS = 1024;
    /** Between a file's number in an id and the lower bits of a chunk's number: 32 chunks from file to file. */
    private static final int FILE_SHIFT = 27;

    private final int chunkBits;
    private final Chunk[] shortcuts = new Chunk[MOST_SHORTCUTS];
    private final RangeTree tree;
    private final int frames;
    private final IntToLongFunction idOf;
    /** Of a frame; where they are 0, its insertion or removal makes the hand go on. */
    private final int visitMask;

    private final RangeTree.Unlinked unlinked = this::endShortcut;

    /** Created once, under the lock of this. */
    private volatile ChainedPageTable overflow;

    /**
     * Creates an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame is bound to; a thread binds a frame before it maps it
     * @param maxBytes the bound of the memory of chunks and directories, about; the shortcuts and the overflow come on top
     */
    public ArrayPageTable(int frames, IntToLongFunction idOf, long maxBytes) {
        this(frames, idOf, maxBytes, CHUNK_BITS);
    }

    /**
     * As {@link #ArrayPageTable(int, IntToLongFunction, long)}, with chunks of another size, so that a test reaches
     * every state with few pages.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame is bound to
     * @param maxBytes the bound of the memory of chunks and directories
     * @param chunkBits the pages of a chunk, as a power of two
     */
    public ArrayPageTable(int frames, IntToLongFunction idOf, long maxBytes, int chunkBits) {
        this.frames = frames;
        this.idOf = idOf;
        this.chunkBits = chunkBits;
        this.visitMask = Math.min(RangeTree.INSERTIONS, Integer.highestOneBit(frames)) - 1;
        this.tree = new RangeTree(chunkBits, maxBytes);
    }

    // --- lookups -----------------------------------------------------------------------------------------------------

    /** Loads the chunk by its shortcut, and the word of the page. */
    @Override
    public int peek(long id) {
        Chunk chunk = shortcut(id);
        return chunk == null ? NONE : frameIn(chunk.word(chunk.index(id)));
    }

    @Override
    public int find(long id) {
        Chunk chunk = shortcut(id);
        if (chunk != null) {
            int word = chunk.word(chunk.index(id));
            if (word != FROZEN) {
                return frameIn(word);
            }
        }
        return findByWalk(id);
    }

    private int findByWalk(long id) {
        for (; ; ) {
            PageRange range = lowest(id);
            int word = range.word(range.index(id));
            if (word == FROZEN && !range.isLinked()) {
                continue;
            }
            if (range instanceof Chunk chunk) {
                setShortcut(chunk);
                return frameIn(word);
            }
            return word > 0 ? overflow.find(id) : NONE;
        }
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

    private Chunk shortcut(long id) {
        long range = id >>> chunkBits;
        Chunk chunk = shortcuts[shortcutOf(range)];
        VarHandle.acquireFence();
        return chunk != null && chunk.range == range ? chunk : null;
    }

    private static int shortcutOf(long range) {
        return (int) (range ^ range >>> FILE_SHIFT) & (MOST_SHORTCUTS - 1);
    }

    private void setShortcut(Chunk chunk) {
        shortcuts[shortcutOf(chunk.range)] = chunk;
        VarHandle.fullFence(); // pairs with the lock of the tree: the chunk is frozen here, or the hand sees this
        if (chunk.word(0) == FROZEN) {
            endShortcut(chunk);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very chunk
    private void endShortcut(Chunk chunk) {
        int at = shortcutOf(chunk.range);
        if (shortcuts[at] == chunk) {
            shortcuts[at] = null;
        }
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    @Override
    public int putIfAbsent(long id, int frame) {
        visit(frame);
        for (; ; ) {
            PageRange range = lowest(id);
            int at = range.index(id);
            int word = range.word(at);
            if (word < 0) {
                tree.awaitChange();
            } else if (range instanceof Chunk chunk) {
                if (word > 0) {
                    return frameIn(word);
                }
                if (chunk.cas(at, EMPTY, frame + 1)) {
                    chunk.use();
                    return NONE;
                }
            } else if (word == EMPTY && tree.hasSpace(((Directory) range).childBytes())) {
                tree.tryLink((Directory) range, id);
            } else {
                ensureOverflow();
                if (range.cas(at, word, word + 1)) {
                    return putIntoOverflow(range, at, id, frame);
                }
            }
        }
    }

    private int putIntoOverflow(PageRange directory, int at, long id, int frame) {
        int found = overflow.putIfAbsent(id, frame);
        if (found != NONE) {
            leaveOverflow(directory, at);
        }
        return found;
    }

    private static void leaveOverflow(PageRange directory, int at) {
        int word;
        do {
            word = directory.word(at);
        } while (!directory.cas(at, word, word - 1));
    }

    private void ensureOverflow() {
        if (overflow == null) {
            synchronized (this) {
                if (overflow == null) {
                    overflow = new ChainedPageTable(frames, idOf);
                }
            }
        }
    }

    @Override
    public boolean remove(long id, int frame) {
        visit(frame);
        for (; ; ) {
            PageRange range = lowest(id);
            int at = range.index(id);
            if (range instanceof Chunk chunk) {
                return chunk.cas(at, frame + 1, EMPTY); // while the frame is mapped here, the chunk stays linked
            }
            int word = range.word(at);
            if (word > 0) {
                boolean removed = overflow.remove(id, frame);
                if (removed) {
                    leaveOverflow(range, at);
                }
                return removed;
            }
            if (word != FROZEN || range.isLinked()) {
                return false;
            }
        }
    }

    private void visit(int frame) {
        if ((frame & visitMask) == 0) {
            sweep();
        }
    }

    /** Makes the hand visit the next node, and unlink it if it has had no page for a round. */
    public void sweep() {
        tree.sweep(unlinked);
    }

    // --- sizes -------------------------------------------------------------------------------------------------------

    @Override
    public int size() {
        ChainedPageTable rest = overflow;
        return mapped(tree.root()) + (rest == null ? 0 : rest.size());
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
        ChainedPageTable rest = overflow;
        return tree.bytes() + (long) MOST_SHORTCUTS * Long.BYTES + (rest == null ? 0 : rest.bytes());
    }
}
