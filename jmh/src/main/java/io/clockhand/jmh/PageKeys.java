// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import org.apache.derby.iapi.store.raw.ContainerKey;
import org.apache.derby.iapi.store.raw.PageKey;

/**
 * Keys of Derby's own page cache: the pages of eight tables, whose containers have the numbers that Derby assigns to
 * tables created one after the other. Many pages have the {@code hashCode} of a page of another table.
 */
final class PageKeys {
    private static final int TABLES = 8;
    private static final int FIRST_CONTAINER = 1152;
    private static final int APART = 16;

    private PageKeys() {}

    /** {@return for each number a key, the same object for the same number} */
    static PageKey[] of(Long[] numbers) {
        int most = 0;
        for (Long number : numbers) {
            most = Math.max(most, number.intValue());
        }
        ContainerKey[] containers = new ContainerKey[TABLES];
        for (int table = 0; table < TABLES; table++) {
            containers[table] = new ContainerKey(0, FIRST_CONTAINER + table * APART);
        }
        PageKey[] byNumber = new PageKey[most + 1];
        PageKey[] keys = new PageKey[numbers.length];
        for (int i = 0; i < keys.length; i++) {
            int number = numbers[i].intValue();
            if (byNumber[number] == null) {
                byNumber[number] = new PageKey(containers[number % TABLES], number / TABLES + 1);
            }
            keys[i] = byNumber[number];
        }
        return keys;
    }
}
