// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.internal.table.NonBlockingTables;
import io.clockhand.internal.table.PageTable;

/** The table in which a {@link BufferPool} looks pages up. No table takes a lock to find a page. */
public enum PageTableKind {
    /** Clockhand's own table: its size is fixed, and it creates no objects when pages come and go. */
    CHAINED("chained") {
        @Override
        PageTable create(int frames, FrameStates states) {
            return new ChainedPageTable(frames, states::identity);
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
        PageTable create(int frames, FrameStates states) {
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

    abstract PageTable create(int frames, FrameStates states);
}
