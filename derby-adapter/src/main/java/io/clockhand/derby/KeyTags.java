// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.store.raw.ContainerKey;
import org.apache.derby.iapi.store.raw.PageKey;

/**
 * Derby's keys as the numbers of {@link io.clockhand.cache.HolderLifecycle#idOf}.
 *
 * <p>Pages and containers have a number of their own, so that a look-up need not compare keys:
 *
 * <pre>
 *             63  62  61  60                    0
 * container  | 0 | t | 1 | container, 29 bits, 0 |   t = 0
 * page       | 0 | t | 0 | container, 29 | page  |
 * container  | 0 | t | 1 | container, 41 bits, 0 |   t = 1: a temporary table, whose number is about the time
 * page       | 0 | t | 0 | container, 41 | page  |   in milliseconds when Derby booted
 * any other  | 1 | hash                          |
 * </pre>
 *
 * <p>Numbers outside these ranges are hashed. Derby's own hash of a page is 79 times its container plus its number, so
 * pages of large tables collide with pages of many other tables.
 */
final class KeyTags {
    private static final int NUMBER_BITS = 61;
    private static final int CONTAINER_BITS = 29;
    private static final int TEMPORARY_CONTAINER_BITS = 41;
    private static final long CONTAINER = 1L << NUMBER_BITS;
    private static final long TEMPORARY = 1L << (NUMBER_BITS + 1);
    /** The segment of tables that last as long as their session; all others are in segment 0. */
    private static final long TEMPORARY_SEGMENT = -1;

    private KeyTags() {}

    static long of(Object key) {
        if (key.getClass() == PageKey.class) {
            PageKey page = (PageKey) key;
            return ofPage(page.getContainerId(), page.getPageNumber());
        }
        if (key.getClass() == ContainerKey.class) {
            long tag = ofPage((ContainerKey) key, 0);
            return tag < 0 ? tag : tag | CONTAINER;
        }
        return key.hashCode() | Long.MIN_VALUE;
    }

    private static long ofPage(ContainerKey container, long page) {
        long id = container.getContainerId();
        long segment = container.getSegmentId();
        boolean temporary = segment == TEMPORARY_SEGMENT;
        int containerBits = temporary ? TEMPORARY_CONTAINER_BITS : CONTAINER_BITS;
        int pageBits = NUMBER_BITS - containerBits;
        if ((temporary || segment == 0) && id >>> containerBits == 0 && page >>> pageBits == 0) {
            return (temporary ? TEMPORARY : 0) | id << pageBits | page;
        }
        long mixed = ((id + segment) * 0x9E37_79B9_7F4A_7C15L + page) * 0xD134_2543_DE82_EF95L;
        return mixed | Long.MIN_VALUE;
    }
}
