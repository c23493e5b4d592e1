// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.page.PageTableKind;
import java.util.Arrays;

/** Page tables by their labels, as parameters name them. */
final class PageTables {
    private PageTables() {}

    static PageTableKind labelled(String label) {
        return Arrays.stream(PageTableKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no page table " + label));
    }
}
