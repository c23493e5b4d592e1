// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.store.raw.ContainerKey;
import org.apache.derby.iapi.store.raw.PageKey;

/**
 * Derby's keys as the numbers of {@link io.clockhand.cache.HolderLifecycle#tagOf}.
 *
 * <p>Pages and containers have a number of their own, so that a look-up need not compare keys: Derby hashes a page to 79
 * times its container plus its number, so that pages of big tables have the same hash as pages of many others.
 *
 * <pre>
 *  63 62        61         60         32 31         0
 * +--+---------+----------+-------------+------------+
 * | 0| segment | 0 page   | container   | page       |
 * | 0|         | 1 container            | 0          |
 * | 1| hash of another key, or of numbers out of range|
 * +--+-----------------------------------------------+
 * </pre>
 */
final class KeyTags {
    /** Of containers; Derby gives them one after the other. */
    private static final int CONTAINER_BITS = 29;

    private static final int PAGE_BITS = 32;
    private static final long CONTAINER = 1L << 61;
    private static final int SEGMENT_SHIFT = 62;
    /** The segment of tables that last as long as their session; all others are in segment 0. */
    private static final long TEMPORARY_SEGMENT = -1;

    private KeyTags() {}

    static long of(Object key) {
        if (key.getClass() == PageKey.class) {
            PageKey page = (PageKey) key;
            long container = of(page.getContainerId());
            long number = page.getPageNumber();
            if (container >= 0 && number >>> PAGE_BITS == 0) {
                return (container & ~CONTAINER) | number;
            }
        } else if (key.getClass() == ContainerKey.class) {
            return of((ContainerKey) key);
        }
        return key.hashCode() | Long.MIN_VALUE;
    }

    private static long of(ContainerKey key) {
        long container = key.getContainerId();
        long segment = key.getSegmentId();
        if (container >>> CONTAINER_BITS == 0 && (segment == 0 || segment == TEMPORARY_SEGMENT)) {
            return (segment & 1) << SEGMENT_SHIFT | CONTAINER | container << PAGE_BITS;
        }
        return key.hashCode() | Long.MIN_VALUE;
    }
}
