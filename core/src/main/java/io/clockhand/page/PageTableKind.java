// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.internal.table.LongMapPageTable;
import io.clockhand.internal.table.MapPageTable;
import io.clockhand.internal.table.PageTable;
import java.util.concurrent.ConcurrentHashMap;

/** The table in which a {@link BufferPool} looks pages up. None takes a lock to find a page. */
public enum PageTableKind {
    /** Clockhand's own: of fixed size, without objects, so without garbage, whatever pages come and go. */
    CHAINED("chained") {
        @Override
        PageTable create(int frames, FrameStates states) {
            return new ChainedPageTable(frames, states::identity);
        }
    },
    /** The JDK's {@link ConcurrentHashMap}, with boxed ids; for comparison. */
    CONCURRENT_HASH_MAP("concurrent-hash-map") {
        @Override
        PageTable create(int frames, FrameStates states) {
            return new MapPageTable(new ConcurrentHashMap<>(2 * frames), frames);
        }
    },
    /**
     * The paper's: Cliff Click's non-blocking hash table, in JCTools' implementation. Copies itself again and again
     * where many pages come and go. JDK 24 and later print a warning.
     */
    NON_BLOCKING_HASH_MAP("non-blocking-hash-map") {
        @Override
        PageTable create(int frames, FrameStates states) {
            return new LongMapPageTable(frames);
        }
    };

    /** The table that is used where none is named. */
    public static final PageTableKind DEFAULT = CHAINED;

    private final String label;

    PageTableKind(String label) {
        this.label = label;
    }

    /** {@return the name under which options know this table} */
    public String label() {
        return label;
    }

    abstract PageTable create(int frames, FrameStates states);
}
