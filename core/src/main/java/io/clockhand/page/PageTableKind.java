// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.table.ArrayPageTable;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.internal.table.NonBlockingTables;
import io.clockhand.internal.table.PageTable;

/** The table in which a {@link BufferPool} looks pages up. No table takes a lock to find a page. */
public enum PageTableKind {
    /** Clockhand's own table: its size is fixed, and it creates no objects when pages come and go. */
    CHAINED("chained") {
        @Override
        PageTable create(int frames, FrameStates states, long maxBytes) {
            return new ChainedPageTable(frames, states::identity);
        }
    },
    /**
     * Arrays of frame numbers, a chunk for each 2,048 pages of a file, without a hash: neighbouring pages share cache
     * lines. Hits are faster than with {@link #CHAINED} in files whose resident pages lie together; page-ins are slower
     * where ids are spread over many times the pool's pages. Chunks are created when pages come, and given back, as
     * other pages come, when none of their pages has been in memory for a while; {@link PoolTuning#tableMemoryFraction}
     * bounds them, and pages without a chunk go through a table like {@link #CHAINED}.
     *
     * <p>Source: X. Zhou, J. Hu, A. Pavlo, M. Stonebraker, Making Array-Based Translation Practical for Modern,
     * High-Performance Buffer Management, arXiv 2604.00423, 2026.
     */
    ARRAY("array") {
        @Override
        PageTable create(int frames, FrameStates states, long maxBytes) {
            return new ArrayPageTable(frames, states::identity, maxBytes);
        }
    },
    /**
     * The table of the Nb-GCLOCK paper: Cliff Click's non-blocking hash map in JCTools' implementation. It copies
     * itself repeatedly while many pages come and go.
     *
     * <p>It needs the artifact {@code org.jctools:jctools-core}, an optional dependency; as a module, {@code
     * org.jctools.core} must be in the module graph ({@code --add-modules}). Without it the pool cannot be built. JDK
     * 24 and later print a warning, since JCTools uses {@code Unsafe}.
     */
    NON_BLOCKING_HASH_MAP("non-blocking-hash-map") {
        @Override
        PageTable create(int frames, FrameStates states, long maxBytes) {
            return NonBlockingTables.pageTable(frames);
        }
    };

    /** The table of a pool that names none. */
    public static final PageTableKind DEFAULT = CHAINED;

    private final String label;

    PageTableKind(String label) {
        this.label = label;
    }

    /** {@return the name of this table in options} */
    public String label() {
        return label;
    }

    /**
     * Creates an empty table.
     *
     * @param maxBytes the bound of the memory of tables that have one
     */
    abstract PageTable create(int frames, FrameStates states, long maxBytes);
}
