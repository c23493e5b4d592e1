// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * The evicted pages that ARC and CAR remember, and the target that they learn from them. <i>B1</i> has those that were
 * evicted from T1, the pages that were used once; <i>B2</i> has those from T2, the others. A page that returns while it
 * is in B1 shows that T1 is too small, one in B2 that T2 is: it moves the <i>target</i>, the size that T1 should have
 * (the papers' p).
 *
 * <p>T1 and B1 together have at most as many pages as there are frames, and so have B1 and B2. (The papers limit the
 * four lists to twice the number of frames, which is the same in a full pool.) The directory is trimmed when a page has
 * been loaded, which drops the ghosts that the papers drop before, and consumes none for a read that fails. Until then
 * B1 and B2 may hold one page more.
 *
 * <p>Not thread-safe. No operation but {@link #resize} allocates.
 */
final class ArcGhosts {
    static final int T1 = 0;
    static final int T2 = 1;

    private final Ghosts b1 = new Ghosts(0);
    private final Ghosts b2 = new Ghosts(0);
    private int frames;
    private double target;

    /** {@return the size that T1 should have, 0 to the number of frames} */
    double target() {
        return target;
    }

    /** {@return the target after a change, within its bounds} */
    double targetAfter(double change) {
        return Math.max(0, Math.min(frames, target + change));
    }

    void changeTarget(double change) {
        target = targetAfter(change);
    }

    /** {@return by how much the return of a page changes the target: 0 if it is no ghost} */
    double change(long page) {
        if (b1.find(page) != Ghosts.NONE) {
            return Math.max(1, (double) b2.size() / b1.size());
        }
        return isInB2(page) ? -Math.max(1, (double) b1.size() / b2.size()) : 0;
    }

    boolean isInB2(long page) {
        return b2.find(page) != Ghosts.NONE;
    }

    /** Adds a page that was evicted from T1 or T2. */
    void add(int list, long page) {
        (list == T1 ? b1 : b2).add(page);
    }

    /** Removes a page that was added from T1 or T2, if it is still there. */
    void remove(int list, long page) {
        (list == T1 ? b1 : b2).take(page);
    }

    /** Removes a page; {@return whether it was a ghost} */
    boolean take(long page) {
        return b1.take(page) || b2.take(page);
    }

    /** Drops ghosts until the limits are kept, when T1 has this many pages. */
    void trim(int t1) {
        b1.trim(Math.max(0, frames - t1));
        b2.trim(frames - b1.size());
    }

    /** Sets the number of frames. If memory runs out, the limits of before or the new ones are in force. */
    void resize(int count, int t1) {
        b1.limit(count + 1);
        b2.limit(count + 1);
        frames = count;
        target = targetAfter(0);
        trim(t1);
    }

    void checkIntegrity() {
        b1.checkIntegrity();
        b2.checkIntegrity();
        if (target < 0 || target > frames) {
            throw new IllegalStateException("the target is " + target + " of " + frames);
        }
    }

    void checkNoneIsResident(FrameLists lists, long[] pages) {
        b1.checkNoneIsResident(lists, pages);
        b2.checkNoneIsResident(lists, pages);
    }
}
