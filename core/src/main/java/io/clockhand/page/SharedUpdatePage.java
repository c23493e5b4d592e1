// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.flush.UpdateContext;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.io.ByteRange;
import io.clockhand.wal.WideLsn;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A page of rows of fixed size that is fixed to update rows, concurrently with readers and with other threads that
 * update other rows: a page of a free-space map, of an allocation map, of counters. The page is latched in shared mode
 * only, so the threads append their log records at the same time.
 *
 * <pre>{@code
 * BufferPool pool = BufferPool.builder()
 *         .log(log)
 *         .lsnOffset(0)
 *         .sharedUpdates(file -> file == COUNTERS)
 *         .build();
 *
 * try (SharedUpdatePage page = pool.fixForSharedUpdate(id)) {
 *     page.beginUpdate();
 *     long lsn = log.append(record);  // of the change that follows
 *     page.putInt(offset, value);
 *     page.endUpdate(lsn);
 * }
 * }</pre>
 *
 * <p><b>One thread for each row.</b> No two threads update the same row at the same time: a lock of the engine makes
 * sure of that, such as the latch of the data page that the row is about. Different bits of a row may be updated at
 * the same time by the methods that set bits. A row of 2, 4 or 8 bytes begins at a multiple of its size, so it is
 * written at once.
 *
 * <p><b>Readers.</b> A reader of such a page, with a {@link PageGuard}, an {@link OptimisticPage} or this,
 * sees each row whole, as it was before or after an update, if it reads the row by one call; it may see one row before
 * and another after. The version that an optimistic reader validates stays the same. {@link BufferPool#fixUpgradable}
 * and {@link BufferPool#fixExclusive} keep these updates out, so a reader that needs all rows at one moment uses the
 * first.
 *
 * <p><b>Log records of one page</b> may be appended in another order than their changes are made, and several may name
 * the same pageLSN as the one before them. The image that is written to the file has exactly the changes of the
 * records up to its pageLSN, since nobody has the page latched for an update while it is copied. So redo is as for
 * other pages: repeat, in the order of the log and with {@link WritablePage#beginRedo}, each record whose LSN is
 * greater than the page's.
 *
 * <p><b>An update that is not ended is undone.</b> If the page is closed between {@link #beginUpdate} and {@link
 * #endUpdate}, its rows become what they were, and the close throws; see {@link WritablePage}.
 *
 * <p>A page that the pool {@linkplain BufferPoolBuilder#sharedUpdates does not allow} to be updated so is latched
 * exclusively instead; everything else is the same.
 *
 * <p>An object from {@link BufferPool#newSharedUpdatePage} is owned by its caller, who fixes one page after another
 * with it: that allocates nothing, but the first update of a page since it was written allocates its dirty page context
 * (48 bytes). Closing it twice is an {@link IllegalStateException}.
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, §3.
 */
public final class SharedUpdatePage extends PageView implements AutoCloseable {
    private final PageFixer fixer;
    private final RowUpdates updates;
    private final FrameRef shared;
    private final RowUndo undo = new RowUndo();
    /**
     * Where the pool stores the LSN of a page, by which it knows how much log must be durable; or before the page, if
     * it does not.
     */
    private final int lsnAt;

    private long id = -1;
    private int frame;
    /** Whether the page is pinned and latched exclusively, and not in shared mode. */
    private boolean exclusive;

    private boolean updating;
    /** Those of the page's store, in an update. */
    private List<ByteRange> ownBytes = List.of();
    /** Counts the update that is in progress; null if that is not necessary. */
    private UpdateContext counted;

    SharedUpdatePage(PageFixer fixer, RowUpdates updates) {
        super(fixer.memory(), fixer.pinTracker() != null);
        this.fixer = fixer;
        this.shared = fixer.newRef();
        this.updates = updates;
        this.lsnAt = updates.lsnOffset() < 0 ? -Long.BYTES : updates.lsnOffset();
    }

    /**
     * Fixes a page to update rows of it.
     *
     * @param pageId the page
     * @return this
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public SharedUpdatePage fix(long pageId) throws IOException {
        checkFree();
        fixer.pace();
        exclusive = !updates.areShared(pageId);
        if (exclusive) {
            show(pageId, fixer.fix(pageId, LatchMode.EXCLUSIVE, this));
        } else {
            fixer.share(pageId, shared, this, LatchMode.SHARED_UPDATE);
            show(pageId, shared.frame());
        }
        return this;
    }

    /**
     * Fixes a page to update rows of it, if it is in memory and its latch is free; see {@link PageGuard#tryFix}.
     *
     * @param pageId the page
     * @return whether this has the page; false also if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     */
    public boolean tryFix(long pageId) {
        checkFree();
        exclusive = !updates.areShared(pageId);
        if (exclusive) {
            int fixed = fixer.tryFix(pageId, LatchMode.EXCLUSIVE, this);
            if (fixed == PageFixer.NONE) {
                return false;
            }
            show(pageId, fixed);
            return true;
        }
        if (!fixer.tryShare(pageId, shared, this, LatchMode.SHARED_UPDATE)) {
            return false;
        }
        show(pageId, shared.frame());
        return true;
    }

    private void show(long pageId, int fixed) {
        id = pageId;
        frame = fixed;
        show(exclusive ? fixer.buffer(fixed) : shared.buffer());
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /** {@return whether other threads may update rows of the page at the same time: the pool allows it} */
    public boolean isShared() {
        checkUser();
        return !exclusive;
    }

    // --- updates -----------------------------------------------------------------------------------------------------

    /**
     * Begins an update: the page is dirty from now on, and checkpoints do not go past a record that is appended later.
     * To be called before the log record is appended.
     *
     * @throws IllegalStateException if an update is in progress, the file is read-only, or this has no page
     * @throws io.clockhand.PoolFailedException if a file could not be forced
     * @throws IllegalArgumentException if the log ends at a negative position
     */
    public void beginUpdate() {
        checkUser();
        if (updating) {
            throw new IllegalStateException(this + " is in an update already: call endUpdate first");
        }
        ownBytes = updates.ownBytes(id); // first: nothing fails when the update has begun
        if (exclusive) {
            updates.beginExclusive(frame, id);
        } else {
            counted = updates.begin(frame, id);
        }
        updating = true;
    }

    /**
     * Ends an update, and raises the page's LSN where {@link BufferPoolBuilder#lsnOffset} says that it lies. The page
     * is written to its file only after the log is durable up to {@code lsn}.
     *
     * @param lsn the LSN of the record that describes the change
     * @throws IllegalStateException if no update is in progress
     * @throws IllegalArgumentException if the LSN is negative, or {@link Long#MAX_VALUE}, or lies behind the end of the
     *     log; the update goes on. Whether the record was appended before the update began is not checked
     */
    public void endUpdate(long lsn) {
        endUpdate(lsn, lsn);
    }

    /**
     * Ends an update with several records; see {@link #endUpdate(long)}.
     *
     * @param firstLsn the least of their LSNs: no checkpoint goes past it
     * @param lastLsn the greatest of them: the LSN of the page
     * @throws IllegalStateException if no update is in progress
     * @throws IllegalArgumentException if one of them is negative or {@link Long#MAX_VALUE}, the last is less than the
     *     first, or it lies behind the end of the log; the update goes on
     */
    public void endUpdate(long firstLsn, long lastLsn) {
        checkUpdating();
        if (firstLsn < 0 || lastLsn < firstLsn || lastLsn == Long.MAX_VALUE) {
            throw new IllegalArgumentException("there are no LSNs from " + firstLsn + " to " + lastLsn
                    + ": they must not be negative, nor the greatest number");
        }
        fixer.checkHasBytes(buffer());
        fixer.checkAppended(lastLsn);
        if (exclusive) {
            updates.endExclusive(frame, buffer(), lastLsn);
        } else {
            updates.end(frame, buffer(), counted, firstLsn, lastLsn);
        }
        complete();
    }

    /**
     * Ends an update of an engine that has no log, or a change that no record describes; see {@link
     * WritablePage#endUnloggedUpdate()}.
     *
     * @throws IllegalStateException if no update is in progress
     */
    public void endUnloggedUpdate() {
        endUpdate(0);
    }

    /**
     * Undoes the update that is in progress: the rows that it has changed are what they were. The page stays fixed.
     *
     * @throws IllegalStateException if no update is in progress
     */
    public void cancelUpdate() {
        checkUpdating();
        fixer.checkStack();
        undo();
    }

    private void complete() {
        counted = null;
        updating = false;
        undo.forget();
    }

    private void checkUpdating() {
        checkUser();
        if (!updating) {
            throw new IllegalStateException(this + " can be changed in an update only: call beginUpdate first");
        }
    }

    // --- rows --------------------------------------------------------------------------------------------------------

    /** Checks a row that is to be changed, and remembers it; {@return its offset} */
    private int row(int offset, int bytes) {
        return row(offset, bytes, all(bytes));
    }

    private int row(int offset, int bytes, long mask) {
        checkUpdating();
        int at = Objects.checkIndex(offset, pageBytes() - bytes + 1);
        if (at + bytes > lsnAt && at < lsnAt + Long.BYTES) {
            throw new IllegalArgumentException(
                    "a row at offset " + at + " would overwrite the LSN of the page at offset " + lsnAt);
        }
        if (!ownBytes.isEmpty()) {
            checkApart(at, bytes);
        }
        if ((at & (bytes - 1)) != 0) {
            throw new IllegalArgumentException("a row of " + bytes + " bytes is written at once only if it begins at a"
                    + " multiple of " + bytes + ", not at " + at);
        }
        undo.remember(memory(), buffer(), word(at), mask << shift(at, bytes));
        return at;
    }

    private void checkApart(int at, int bytes) {
        for (ByteRange own : ownBytes) {
            if (own.overlaps(at, bytes)) {
                throw new IllegalArgumentException(
                        "a row at offset " + at + " would overwrite " + own + " of the page's store");
            }
        }
    }

    /** {@return all bits of a row} */
    private static long all(int bytes) {
        return bytes == Long.BYTES ? -1 : (1L << (bytes * Byte.SIZE)) - 1;
    }

    /** {@return where the eight bytes begin that a row lies in} */
    private static int word(int at) {
        return at & -Long.BYTES;
    }

    /** {@return the place of a row in these eight bytes, big-endian, as bits from the lowest} */
    private static int shift(int at, int bytes) {
        return (Long.BYTES - (at - word(at)) - bytes) * Byte.SIZE;
    }

    /**
     * Sets a row of one byte; other rows stay what they are.
     *
     * @param offset where in the page
     * @param value the byte
     */
    public void putByte(int offset, byte value) {
        memory().releaseByte(buffer(), row(offset, Byte.BYTES), value);
    }

    /**
     * Sets a row of two bytes.
     *
     * @param offset where in the page, a multiple of 2
     * @param value the number
     */
    public void putShort(int offset, short value) {
        memory().releaseShort(buffer(), row(offset, Short.BYTES), value);
    }

    /**
     * Sets a row of four bytes.
     *
     * @param offset where in the page, a multiple of 4
     * @param value the number
     */
    public void putInt(int offset, int value) {
        memory().releaseInt(buffer(), row(offset, Integer.BYTES), value);
    }

    /**
     * Sets a row of eight bytes.
     *
     * @param offset where in the page, a multiple of 8
     * @param value the number
     */
    public void putLong(int offset, long value) {
        memory().releaseLong(buffer(), row(offset, Long.BYTES), value);
    }

    /**
     * Sets some bits of a row of one byte. Other threads may set other bits of it at the same time.
     *
     * @param offset where in the page
     * @param mask the bits that are set, 0 to 255
     * @param bits their values; 0 outside of the mask
     * @return the row before, 0 to 255
     * @throws IllegalArgumentException if the mask has more bits than the row, or {@code bits} has others than the mask
     */
    public int putByteBits(int offset, int mask, int bits) {
        return (int) putBits(offset, Byte.BYTES, mask, bits);
    }

    /**
     * Sets some bits of a row of two bytes; see {@link #putByteBits}.
     *
     * @param offset where in the page, a multiple of 2
     * @param mask the bits that are set, 0 to 65,535
     * @param bits their values; 0 outside of the mask
     * @return the row before, 0 to 65,535
     */
    public int putShortBits(int offset, int mask, int bits) {
        return (int) putBits(offset, Short.BYTES, mask, bits);
    }

    /**
     * Sets some bits of a row of four bytes; see {@link #putByteBits}.
     *
     * @param offset where in the page, a multiple of 4
     * @param mask the bits that are set
     * @param bits their values; 0 outside of the mask
     * @return the row before
     */
    public int putIntBits(int offset, int mask, int bits) {
        return (int) putBits(offset, Integer.BYTES, Integer.toUnsignedLong(mask), Integer.toUnsignedLong(bits));
    }

    /**
     * Sets some bits of a row of eight bytes; see {@link #putByteBits}.
     *
     * @param offset where in the page, a multiple of 8
     * @param mask the bits that are set
     * @param bits their values; 0 outside of the mask
     * @return the row before
     */
    public long putLongBits(int offset, long mask, long bits) {
        return putBits(offset, Long.BYTES, mask, bits);
    }

    private long putBits(int offset, int bytes, long mask, long bits) {
        if ((mask & ~all(bytes)) != 0 || (bits & ~mask) != 0) {
            throw new IllegalArgumentException("mask " + Long.toHexString(mask) + ", bits " + Long.toHexString(bits)
                    + ": the mask must lie within the row, and the bits within the mask");
        }
        int at = row(offset, bytes, mask);
        int shift = shift(at, bytes);
        long before = memory().setBits(buffer(), word(at), mask << shift, bits << shift);
        return (before >>> shift) & all(bytes);
    }

    // --- LSNs that the engine stores itself --------------------------------------------------------------------------

    /**
     * Raises a page LSN of eight bytes, if it is less. For an engine that has not set {@link
     * BufferPoolBuilder#lsnOffset}; to be called before {@link #endUpdate}. It stays raised if the update is undone.
     *
     * @param offset where it lies, a multiple of 8
     * @param lsn the LSN
     */
    public void raisePageLsn(int offset, long lsn) {
        memory().raiseLong(buffer(), lsnAt(offset, Long.BYTES), lsn);
    }

    /**
     * Raises a page LSN of ten bytes, if it is less; see {@link #raisePageLsn(int, long)}. The other six bytes of the
     * sixteen that it begins may be rows.
     *
     * @param offset where it lies, a multiple of 8
     * @param lsn the LSN
     * @throws IllegalStateException if no such LSN lies there
     */
    public void raisePageLsn(int offset, WideLsn lsn) {
        raisePageLsn(offset, lsn.position(), lsn.slot());
    }

    /**
     * Raises a page LSN of ten bytes by its parts, which allocates nothing; see {@link #raisePageLsn(int, WideLsn)}.
     *
     * @param offset where it lies, a multiple of 8
     * @param position the first eight bytes, as of {@link WideLsn#position}
     * @param slot the last two, 0 to 32,767
     * @throws IllegalArgumentException if the slot does not lie in these limits
     * @throws IllegalStateException if no such LSN lies there
     */
    public void raisePageLsn(int offset, long position, int slot) {
        fixer.raise(buffer(), lsnAt(offset, 2 * Long.BYTES), position, WideLsn.checkSlot(slot));
    }

    private int lsnAt(int offset, int bytes) {
        checkUpdating();
        int at = checked(offset, bytes);
        if ((at & (Long.BYTES - 1)) != 0) {
            throw new IllegalArgumentException(
                    "an LSN can be raised only where it begins at a multiple of 8, not at " + at);
        }
        return at;
    }

    // --- release -----------------------------------------------------------------------------------------------------

    /**
     * Unfixes the page. An update that is in progress is undone.
     *
     * @throws IllegalStateException if this was closed already, or is used by another thread than the one that has
     *     fixed the page; or if an update was in progress: then the page is unfixed
     */
    @Override
    public void close() {
        fixer.checkStack();
        if (!beginClose()) {
            return;
        }
        boolean undone = updating;
        try {
            if (undone) {
                undo();
            }
        } finally {
            if (exclusive) {
                fixer.unfix(frame, LatchMode.EXCLUSIVE);
            } else {
                shared.endShare();
            }
            endTracking();
        }
        if (undone) {
            throw new IllegalStateException("an update of " + fixer.describe(id)
                    + " was not ended, so it was undone; call endUpdate before the page is closed");
        }
    }

    private void undo() {
        UpdateContext pending = counted;
        try {
            undo.undo(memory(), buffer());
        } finally {
            complete();
            updates.cancel(pending);
        }
    }

    @Override
    public String toString() {
        return "the page for shared updates: " + fixer.describe(id);
    }
}
