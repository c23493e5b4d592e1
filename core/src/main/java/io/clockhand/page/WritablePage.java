// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.wal.WideLsn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A page that is fixed exclusively: no other thread reads or writes it, and optimistic reads of it do not validate. Its
 * bytes are changed in <i>updates</i>:
 *
 * <pre>{@code
 * try (WritablePage page = pool.fixExclusive(id)) {
 *     page.beginUpdate();
 *     long lsn = log.append(record);  // of the change that follows
 *     page.putLong(16, balance);
 *     page.endUpdate(lsn);
 * }
 * }</pre>
 *
 * <p><b>Begin before the record is appended.</b> The begin of an update marks the page as dirty, and keeps checkpoints
 * from going past the record. A page may have any number of updates while it is fixed, one after the other.
 *
 * <p><b>An update that is not ended is undone.</b> If the page is closed in the middle of one, since an exception was
 * thrown or the end was forgotten, its bytes become what they were at the begin, and the close throws. So no
 * half-changed page is seen by another thread, or written to the file. A record that was appended for that update stays
 * in the log, and redo would apply it: the engine must append one that takes it back.
 *
 * <p>Pages that must change together are changed in a {@link MultiPageUpdate}: the close of such a page undoes the
 * update of all, and does not throw.
 *
 * <p>An object from {@link BufferPool#newWritablePage} is owned by its caller, who fixes one page after another with
 * it: that allocates nothing. Closing it twice is an {@link IllegalStateException}. See {@link PageGuard} for how a
 * page is passed on.
 */
public final class WritablePage extends PageView implements AutoCloseable {
    private final PageFixer fixer;
    private long id = -1;
    private int frame;
    /** The undo information of the current update; null between updates. */
    private PageUndo undo;
    /** Where the log ended when the current update began, or the LSN to be redone: no checkpoint goes past it. */
    private long begun;
    /** The update of several pages that this one is in, or null. */
    private MultiPageUpdate update;

    WritablePage(PageFixer fixer) {
        super(fixer.memory(), fixer.pinTracker() != null);
        this.fixer = fixer;
    }

    /**
     * Fixes a page exclusively.
     *
     * @param pageId the page
     * @return this
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public WritablePage fix(long pageId) throws IOException {
        checkFree();
        fixer.pace();
        take(fixer.fix(pageId, LatchMode.EXCLUSIVE, this), pageId);
        return this;
    }

    /**
     * Fixes a page exclusively if it is in memory and its latch is free; see {@link PageGuard#tryFix}.
     *
     * @param pageId the page
     * @return whether this has the page; false also if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     */
    public boolean tryFix(long pageId) {
        checkFree();
        int fixed = fixer.tryFix(pageId, LatchMode.EXCLUSIVE, this);
        if (fixed == PageFixer.NONE) {
            return false;
        }
        take(fixed, pageId);
        return true;
    }

    /** Takes over a page that is pinned and latched exclusively. */
    void take(int fixed, long pageId) {
        frame = fixed;
        id = pageId;
        show(fixer.buffer(fixed));
    }

    void checkCanTake(PageFixer other) {
        checkFree();
        checkSamePool(fixer, other);
    }

    /**
     * Lets other readers in, and passes the page on to a new guard, which has it in shared mode. No writer comes in
     * between. This has no page afterwards.
     *
     * @return the guard, to be closed
     */
    public PageGuard downgrade() {
        PageGuard downgraded = new PageGuard(fixer);
        downgrade(downgraded);
        return downgraded;
    }

    /**
     * As {@link #downgrade()}, and passes the page on to a guard of the caller's, which allocates nothing.
     *
     * @param target gets the page
     * @throws IllegalStateException if the target has a page already, or an update is in progress
     * @throws IllegalArgumentException if the target belongs to another pool
     */
    public void downgrade(PageGuard target) {
        checkUser();
        if (undo != null) {
            throw new IllegalStateException(this + " cannot be downgraded in an update: " + howToEnd());
        }
        target.checkCanTake(fixer);
        fixer.enter();
        passTracking(target, reference(target), LatchMode.SHARED);
        pass();
        fixer.downgrade(frame, target.shared());
        target.takeShared(id);
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /** {@return the whole page, read-only, as a new view, which must not be used after this is closed} */
    public ByteBuffer bytes() {
        return view();
    }

    // --- updates -----------------------------------------------------------------------------------------------------

    /**
     * Begins an update: the page is dirty from now on. To be called before the log record is appended.
     *
     * @throws IllegalStateException if an update is in progress, the file is read-only, or this has no page
     * @throws io.clockhand.PoolFailedException if a file could not be forced
     * @throws IllegalArgumentException if the log ends at a negative position
     */
    public void beginUpdate() {
        checkCanBegin();
        begin(fixer.logEnd());
    }

    /**
     * Begins an update that repeats the change of a record, after a crash. The record is in the log already, so a
     * checkpoint must not go past it until the page was written. To be called, and the page to be closed, before the
     * engine makes its first checkpoint; later only while the engine takes care itself that redo would begin at this
     * record or before it, as a replica does that applies records as they come.
     *
     * @param lsn the LSN of the record; {@link #endUpdate(long)} gets it, too
     * @throws IllegalStateException as {@link #beginUpdate}
     * @throws io.clockhand.PoolFailedException as {@link #beginUpdate}
     * @throws IllegalArgumentException if the LSN is negative, or {@link Long#MAX_VALUE}
     */
    public void beginRedo(long lsn) {
        checkCanBegin();
        begin(lsn);
    }

    private void checkCanBegin() {
        checkUser();
        if (undo != null) {
            throw new IllegalStateException(this + " is in an update already: " + howToEnd());
        }
    }

    private String howToEnd() {
        return update == null ? "call endUpdate first" : "end that update of several pages first";
    }

    private void begin(long position) {
        undo = fixer.beginUpdate(frame, id, position);
        begun = position;
    }

    /**
     * Repeats the changes of a record in this page after a crash, if the page lacks them: its LSN is less than that of
     * the record. The page is dirty in any case, since the operating system may show bytes that a failed force has
     * lost, so they are written again. To be called once for each record and page, since the first call sets the page's
     * LSN; and the page is to be closed before the engine makes its first checkpoint.
     *
     * @param <E> what the change may throw
     * @param lsn the LSN of the record
     * @param change makes all changes of the record in this page; if it throws, nothing has changed. It must not end
     *     the update
     * @return whether the change was made
     * @throws E from the change
     * @throws IllegalStateException as {@link #beginUpdate}; or if the pool does not store LSNs in pages: see {@link
     *     BufferPoolBuilder#lsnOffset}
     * @throws io.clockhand.PoolFailedException as {@link #beginUpdate}
     * @throws IllegalArgumentException if the LSN is negative, or {@link Long#MAX_VALUE}, or lies behind the end of the
     *     log
     */
    public <E extends Exception> boolean redo(long lsn, PageChange<E> change) throws E {
        checkCanBegin();
        PageFixer.checkLsn(lsn);
        fixer.checkRepeated(lsn);
        boolean lacksChange = fixer.storedLsn(frame) < lsn;
        beginRedo(lsn);
        try {
            if (lacksChange) {
                change.apply(this);
            }
            endUpdate(lsn);
        } finally {
            if (undo != null) {
                undoUpdate();
            }
        }
        return lacksChange;
    }

    /**
     * Ends an update. The page is written to its file only after the log is durable up to {@code lsn}. If the pool
     * stores LSNs in pages, and this page has a greater one, it keeps that.
     *
     * @param lsn the LSN of the record that describes the change; of several, the greatest
     * @throws IllegalStateException if no update is in progress, or one of several pages; or if the pool is closed
     * @throws IllegalArgumentException if the LSN is negative, or {@link Long#MAX_VALUE}; if it is less than the end of
     *     the log at the begin, so that the record was appended before; or if it lies behind the end of the log. The
     *     update goes on
     */
    public void endUpdate(long lsn) {
        checkAlone();
        fixer.checkStack();
        PageFixer.checkLsn(lsn);
        if (lsn < begun && lsn > 0) {
            throw new IllegalArgumentException("the record with LSN " + lsn + " was appended before the update of "
                    + fixer.describe(id) + " began, when the log ended at " + begun
                    + ": begin the update first, or a checkpoint could go past the record; a change that a record of"
                    + " the past describes begins by beginRedo, one that no record describes ends by"
                    + " endUnloggedUpdate");
        }
        fixer.checkHasBytes(buffer());
        if (lsn == begun) { // as after beginRedo
            fixer.checkRepeated(lsn);
        } else {
            fixer.checkAppended(lsn);
        }
        completeUpdate(lsn);
    }

    private void completeUpdate(long lsn) {
        PageUndo used = undo;
        undo = null;
        fixer.endUpdate(frame, used, lsn);
    }

    /**
     * Ends an update of an engine that has no log, or a change that no record describes: it may be written at any time,
     * and is lost in a crash before that.
     *
     * @throws IllegalStateException if no update is in progress, or one of several pages
     */
    public void endUnloggedUpdate() {
        endUpdate(0);
    }

    /**
     * Undoes the update that is in progress: the bytes are what they were when it began. The page stays fixed.
     *
     * @throws IllegalStateException if no update is in progress, or one of several pages
     */
    public void cancelUpdate() {
        checkAlone();
        fixer.checkStack();
        undoUpdate();
    }

    private void undoUpdate() {
        PageUndo used = undo;
        undo = null;
        fixer.undoUpdate(frame, used);
    }

    private void checkUpdating() {
        checkUser();
        if (undo == null) {
            throw new IllegalStateException(this + " can be changed in an update only: call beginUpdate first");
        }
    }

    private void checkAlone() {
        checkUpdating();
        if (update != null) {
            throw new IllegalStateException(this + " is in an update of several pages: end or cancel that one");
        }
    }

    // --- its part in an update of several pages ----------------------------------------------------------------------

    void begin(MultiPageUpdate several, PageFixer pool, long position) {
        checkCanBegin();
        checkSamePool(fixer, pool);
        begin(position);
        update = several;
    }

    /** Throws unless {@link #endMember} can be called. */
    void checkCanEnd() {
        checkUser();
        fixer.checkHasBytes(buffer());
    }

    void endMember(long lsn) {
        update = null;
        completeUpdate(lsn);
    }

    void undoMember() {
        update = null;
        if (undo != null) { // else its end has failed, since the pool was closed or has failed meanwhile
            undoUpdate();
        }
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    /** Precedes a change of a number; {@return its offset} */
    private int changeAt(int offset, int bytes) {
        checkUpdating();
        int at = checked(offset, bytes);
        int word = at & -Long.BYTES;
        if (at + bytes > word + Long.BYTES || !undo.tryRemember(word, getLong(word))) {
            undo.remember(memory(), buffer(), at, bytes);
        }
        return at;
    }

    /** Precedes a change of some bytes. */
    private void change(int offset, int length) {
        checkUpdating();
        checkRange(offset, length);
        undo.remember(memory(), buffer(), offset, length);
    }

    /** Precedes a change of some numbers; {@return where they lie in the slab} */
    private int changeAt(int offset, int bytes, int count, int sourceOffset, int sourceLength) {
        checkUpdating();
        int at = at(offset, bytes, count, sourceOffset, sourceLength);
        undo.remember(memory(), buffer(), offset, count * bytes);
        return at;
    }

    /**
     * Sets one byte.
     *
     * @param offset where in the page
     * @param value the byte
     */
    public void putByte(int offset, byte value) {
        memory().putByte(buffer(), changeAt(offset, Byte.BYTES), value);
    }

    /**
     * Sets two bytes.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putShort(int offset, short value) {
        memory().putShort(buffer(), changeAt(offset, Short.BYTES), value);
    }

    /**
     * Sets two bytes, little-endian.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putShortLittleEndian(int offset, short value) {
        putShort(offset, Short.reverseBytes(value));
    }

    /**
     * Sets four bytes.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putInt(int offset, int value) {
        memory().putInt(buffer(), changeAt(offset, Integer.BYTES), value);
    }

    /**
     * Sets four bytes, little-endian.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putIntLittleEndian(int offset, int value) {
        putInt(offset, Integer.reverseBytes(value));
    }

    /**
     * Sets eight bytes.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putLong(int offset, long value) {
        memory().putLong(buffer(), changeAt(offset, Long.BYTES), value);
    }

    /**
     * Sets eight bytes, little-endian.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putLongLittleEndian(int offset, long value) {
        putLong(offset, Long.reverseBytes(value));
    }

    /**
     * Sets four bytes to a floating-point number.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putFloat(int offset, float value) {
        putInt(offset, Float.floatToRawIntBits(value));
    }

    /**
     * Sets four bytes to a floating-point number, little-endian.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putFloatLittleEndian(int offset, float value) {
        putIntLittleEndian(offset, Float.floatToRawIntBits(value));
    }

    /**
     * Sets eight bytes to a floating-point number.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putDouble(int offset, double value) {
        putLong(offset, Double.doubleToRawLongBits(value));
    }

    /**
     * Sets eight bytes to a floating-point number, little-endian.
     *
     * @param offset where in the page
     * @param value the number
     */
    public void putDoubleLittleEndian(int offset, double value) {
        putLongLittleEndian(offset, Double.doubleToRawLongBits(value));
    }

    /**
     * Sets numbers of two bytes to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putShorts(int offset, short[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Short.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets numbers of two bytes, little-endian, to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putShortsLittleEndian(int offset, short[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Short.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Sets numbers of four bytes to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putInts(int offset, int[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Integer.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets numbers of four bytes, little-endian, to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putIntsLittleEndian(int offset, int[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Integer.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Sets numbers of eight bytes to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putLongs(int offset, long[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Long.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets numbers of eight bytes, little-endian, to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putLongsLittleEndian(int offset, long[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Long.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Sets numbers of four bytes to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putFloats(int offset, float[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Float.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets numbers of four bytes, little-endian, to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putFloatsLittleEndian(int offset, float[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Float.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Sets numbers of eight bytes to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putDoubles(int offset, double[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Double.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets numbers of eight bytes, little-endian, to those of an array.
     *
     * @param offset where the first begins in the page
     * @param source the numbers
     * @param sourceOffset the index of the first in the source
     * @param count how many
     */
    public void putDoublesLittleEndian(int offset, double[] source, int sourceOffset, int count) {
        int at = changeAt(offset, Double.BYTES, count, sourceOffset, source.length);
        views().put(at, source, sourceOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Sets some bytes.
     *
     * @param offset where in the page
     * @param source the bytes
     * @param sourceOffset where in the source
     * @param length the number of bytes
     */
    public void putBytes(int offset, byte[] source, int sourceOffset, int length) {
        checkUpdating();
        Objects.checkFromIndexSize(sourceOffset, length, source.length);
        change(offset, length);
        memory().putBytes(buffer(), offset, source, sourceOffset, length);
    }

    /**
     * Sets some bytes to those that remain in a buffer, whose position is behind them then.
     *
     * @param offset where in the page
     * @param source the bytes
     */
    public void putBytes(int offset, ByteBuffer source) {
        int length = source.remaining();
        change(offset, length);
        memory().putBytes(buffer(), offset, source, source.position(), length);
        source.position(source.limit());
    }

    /**
     * Sets some bytes to those of a page, which may be this one; the ranges may overlap then.
     *
     * @param offset where in this page
     * @param source the page with the bytes; not one that is read optimistically
     * @param sourceOffset where in the source
     * @param length the number of bytes
     * @throws IllegalArgumentException if the source is read optimistically, so that its bytes may change meanwhile
     */
    public void putBytes(int offset, PageView source, int sourceOffset, int length) {
        checkUpdating();
        if (source.isUnlatched()) {
            throw new IllegalArgumentException(
                    source + " is read optimistically, so its bytes may change while they are"
                            + " copied: copy them into an array, validate, then put them");
        }
        source.checkRange(sourceOffset, length);
        change(offset, length);
        if (source.memory() == memory()) {
            memory().copy(buffer(), offset, source.buffer(), sourceOffset, length);
        } else {
            memory().putBytes(buffer(), offset, source.view(), sourceOffset, length);
        }
    }

    /**
     * Sets an LSN of ten bytes, as {@link #getWideLsn} reads it.
     *
     * @param offset where it lies, a multiple of 8, and 16 bytes or more before the end of the page
     * @param lsn the LSN
     * @throws IllegalArgumentException if it does not begin at a multiple of 8
     */
    public void putWideLsn(int offset, WideLsn lsn) {
        checkUpdating();
        wideLsnAt(offset); // before one of the two is changed
        putLong(offset, lsn.position());
        putShort(offset + Long.BYTES, (short) lsn.slot());
    }

    /**
     * Sets all bytes of a range to one value.
     *
     * @param offset where in the page
     * @param length the number of bytes
     * @param value the byte
     */
    public void fill(int offset, int length, byte value) {
        change(offset, length);
        for (int i = offset; i < offset + length; i++) {
            memory().putByte(buffer(), i, value);
        }
    }

    /**
     * Unfixes the page. Does nothing if the page was passed on. An update that is in progress is undone.
     *
     * @throws IllegalStateException if this was closed already, or is used by another thread than the one that has
     *     fixed the page; or if an update of this page alone was in progress: then the page is unfixed
     */
    @Override
    public void close() {
        fixer.checkStack();
        if (!beginClose()) {
            return;
        }
        boolean undone = undo != null && update == null;
        try {
            if (undone) {
                undoUpdate();
            } else if (update != null) {
                update.leave();
            }
        } finally {
            fixer.unfix(frame, LatchMode.EXCLUSIVE);
            endTracking();
        }
        if (undone) {
            throw new IllegalStateException("an update of " + fixer.describe(id)
                    + " was not ended, so it was undone; call endUpdate before the page is closed");
        }
    }

    @Override
    public String toString() {
        return "the writable page: " + fixer.describe(id);
    }
}
