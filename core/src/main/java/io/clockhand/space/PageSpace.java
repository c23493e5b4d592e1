// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

/**
 * The byte that a {@link FreeSpaceMap} has for a data page.
 *
 * <pre>
 *   7   6   5    4    3    2    1    0
 * +-----------+----+----+----+----+----+
 * | fullness  | G  | M  | X  | A  | V  |
 * +-----------+----+----+----+----+----+
 * </pre>
 *
 * V: the page may have old versions of rows that can be removed; A: it is allocated; X: it belongs to a mixed extent,
 * whose pages belong to several objects; M: it is itself the page of a map; G: it has ghosts, rows that are deleted and
 * not removed.
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, Fig. 1.
 *
 * @param bits the byte, 0 to 255
 */
public record PageSpace(int bits) {
    static final int VERSIONS = 1;
    static final int ALLOCATED = 1 << 1;
    static final int MIXED = 1 << 2;
    static final int MAP_PAGE = 1 << 3;
    static final int GHOSTS = 1 << 4;
    static final int FULLNESS_SHIFT = 5;
    static final int FULLNESS = 7 << FULLNESS_SHIFT;
    static final int ALL = 0xFF;

    /**
     * Creates one.
     *
     * @param bits the byte
     * @throws IllegalArgumentException if it is not a byte
     */
    public PageSpace {
        if ((bits & ~ALL) != 0) {
            throw new IllegalArgumentException(bits + " is no byte: it must lie between 0 and " + ALL);
        }
    }

    /** {@return whether the page is allocated} */
    public boolean isAllocated() {
        return (bits & ALLOCATED) != 0;
    }

    /** {@return whether the page may have old versions of rows} */
    public boolean hasVersions() {
        return (bits & VERSIONS) != 0;
    }

    /** {@return whether the page has rows that are deleted and not removed} */
    public boolean hasGhosts() {
        return (bits & GHOSTS) != 0;
    }

    /** {@return whether the page belongs to an extent whose pages belong to several objects} */
    public boolean isMixed() {
        return (bits & MIXED) != 0;
    }

    /** {@return whether the page is itself the page of a map} */
    public boolean isMapPage() {
        return (bits & MAP_PAGE) != 0;
    }

    /** {@return how full the page is} */
    public Fullness fullness() {
        return Fullness.ofNumber(bits >>> FULLNESS_SHIFT);
    }

    @Override
    public String toString() {
        return isAllocated()
                ? "allocated, " + fullness() + (hasVersions() ? ", versions" : "") + (hasGhosts() ? ", ghosts" : "")
                        + (isMixed() ? ", mixed" : "") + (isMapPage() ? ", map page" : "")
                : "not allocated";
    }
}
