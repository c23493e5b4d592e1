// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.ClockhandException;
import io.clockhand.PageId;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.page.OptimisticPage;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.PreloadHint;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * Reads the pages of a file optimistically: what was read counts once the page is validated, and is read again if the
 * page was evicted meanwhile. Nothing is pinned or latched between two calls.
 *
 * <p>The page that was read last is shown as a <i>window</i>: {@code size} bytes of the file from {@code from}, not
 * past the end of this input. A read within it is a load, two comparisons and the validation. Any other read goes the
 * slow way, which finds out what it is: the end of the input, a number that crosses pages, or another page.
 *
 * <p>One thread at a time, as all of Lucene's inputs. A different thread may continue if the hand-over is ordered.
 */
final class PageInput extends IndexInput implements RandomAccessInput {
    private static final int LONGEST_VINT = 5;
    private static final int LONGEST_VLONG = 9;
    /** How many pages {@link #isLoaded} looks up at most. */
    private static final int PROBES = 1024;

    private final InputSource source;
    /** Whether {@link #close} ends the use of the file: not of a clone or slice. */
    private final boolean owns;

    /** How many bytes of a page the file uses. All numbers of bytes here leave out those that the store uses. */
    private final int pageBytes;

    private final long start;
    private final long end;

    /** All positions here count from the beginning of the file. */
    private long at;
    /** Null before the first read. Holds no latch between two calls, so any thread may go on with it. */
    private OptimisticPage page;

    private long from;
    /** 0 if no page is shown. */
    private int size;

    /** Whether pages are read to be read once, so that they displace no others. */
    private boolean scans;

    private boolean closed;

    PageInput(String description, InputSource source, IOContext context) {
        this(description, source, true, 0, source.file.length);
        updateIOContext(context);
        if (context.hints().contains(PreloadHint.INSTANCE)) {
            prefetch(0, length()); // the pool reads a quarter of its size at most
        }
    }

    private PageInput(String description, InputSource source, boolean owns, long start, long end) {
        super(description);
        this.source = source;
        this.owns = owns;
        this.pageBytes = source.file.layout.usableBytes();
        this.start = start;
        this.end = end;
        this.at = start;
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    /**
     * Shows the page that has some bytes, of which there is more than none.
     *
     * @return where in the page they begin; −1 if they do not lie in one page
     */
    private int show(long position, int bytes) throws IOException {
        if (position < start || position > end - bytes) {
            throw past(position);
        }
        long offset = position - from;
        if (offset < 0 || offset >= size) {
            load(position / pageBytes);
            offset = position - from;
        }
        return offset <= size - bytes ? (int) offset : -1;
    }

    private void load(long number) throws IOException {
        size = 0;
        OptimisticPage shown = page;
        if (shown == null) {
            shown = newPage();
        }
        long id = PageId.of(source.number, number);
        try {
            if (scans) {
                shown.readForScan(id);
            } else {
                shown.read(id);
            }
        } catch (ClockhandException | IllegalStateException e) {
            throw failure(number, e);
        }
        if (source.isClosed()) { // it may be a page of another file
            shown.close();
            throw closed(null);
        }
        from = number * pageBytes;
        size = (int) Math.min(pageBytes, end - from);
    }

    private OptimisticPage newPage() {
        checkOpen();
        page = source.file.pool.newOptimisticPage();
        return page;
    }

    private IOException failure(long number, RuntimeException e) {
        if (source.isClosed() || !source.file.pages.isOpen()) {
            throw closed(e);
        }
        if (e instanceof PoolExhaustedException || e instanceof WaitTimeoutException) {
            return new DirectoryBusyException(
                    "cannot read page " + number + " of " + this
                            + ", which is not damaged: raise capacityBytes or waitTimeout of the DirectoryPool: "
                            + e.getMessage(),
                    e);
        }
        if (e instanceof ClockhandException) {
            return new IOException("cannot read page " + number + " of " + this + ": " + e.getMessage(), e);
        }
        throw e;
    }

    /** {@return the exception of a read in a window} The bytes are gone if the pool was closed meanwhile. */
    private IllegalStateException closedIfPoolIs(IllegalStateException e) {
        return e instanceof AlreadyClosedException || source.file.pages.isOpen() ? e : closed(e);
    }

    private boolean isRight() {
        if (page.validateAndRelease()) {
            return true;
        }
        size = 0;
        return false;
    }

    private void checkOpen() {
        if (closed || source.isClosed()) {
            throw closed(null);
        }
    }

    private AlreadyClosedException closed(RuntimeException cause) {
        return new AlreadyClosedException("closed already: " + this, cause);
    }

    private EOFException past(long position) {
        return new EOFException("read past the end, at " + (position - start) + " of " + length() + " bytes: " + this);
    }

    // --- one number --------------------------------------------------------------------------------------------------

    @Override
    public byte readByte() throws IOException {
        try {
            long offset = at - from;
            if (offset >= 0 && offset < size) {
                byte value = page.getByte((int) offset);
                if (page.validateAndRelease()) {
                    at++;
                    return value;
                }
                size = 0;
            }
            byte value = byteAt(at);
            at++;
            return value;
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private byte byteAt(long position) throws IOException {
        while (true) {
            byte value = page(position, Byte.BYTES).getByte((int) (position - from));
            if (isRight()) {
                return value;
            }
        }
    }

    /** {@return the page of some bytes that lie in one} */
    private OptimisticPage page(long position, int bytes) throws IOException {
        show(position, bytes);
        return page;
    }

    @Override
    public short readShort() throws IOException {
        try {
            short value = shortAt(at);
            at += Short.BYTES;
            return value;
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private short shortAt(long position) throws IOException {
        while (true) {
            int offset = show(position, Short.BYTES);
            if (offset < 0) {
                return (short) (Byte.toUnsignedInt(byteAt(position)) | byteAt(position + 1) << Byte.SIZE);
            }
            short value = page.getShortLittleEndian(offset);
            if (isRight()) {
                return value;
            }
        }
    }

    @Override
    public int readInt() throws IOException {
        try {
            long offset = at - from;
            if (offset >= 0 && offset <= size - Integer.BYTES) {
                int value = page.getIntLittleEndian((int) offset);
                if (page.validateAndRelease()) {
                    at += Integer.BYTES;
                    return value;
                }
                size = 0;
            }
            int value = intAt(at);
            at += Integer.BYTES;
            return value;
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private int intAt(long position) throws IOException {
        while (true) {
            int offset = show(position, Integer.BYTES);
            if (offset < 0) {
                return Short.toUnsignedInt(shortAt(position)) | shortAt(position + Short.BYTES) << Short.SIZE;
            }
            int value = page.getIntLittleEndian(offset);
            if (isRight()) {
                return value;
            }
        }
    }

    @Override
    public long readLong() throws IOException {
        try {
            long offset = at - from;
            if (offset >= 0 && offset <= size - Long.BYTES) {
                long value = page.getLongLittleEndian((int) offset);
                if (page.validateAndRelease()) {
                    at += Long.BYTES;
                    return value;
                }
                size = 0;
            }
            long value = longAt(at);
            at += Long.BYTES;
            return value;
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private long longAt(long position) throws IOException {
        while (true) {
            int offset = show(position, Long.BYTES);
            if (offset < 0) {
                return Integer.toUnsignedLong(intAt(position)) | (long) intAt(position + Integer.BYTES) << Integer.SIZE;
            }
            long value = page.getLongLittleEndian(offset);
            if (isRight()) {
                return value;
            }
        }
    }

    // --- numbers of variable length: one validation for all bytes ----------------------------------------------------

    @Override
    public int readVInt() throws IOException {
        try {
            long offset = at - from;
            if (offset >= 0 && offset <= size - LONGEST_VINT) {
                int to = (int) offset;
                int last = to + LONGEST_VINT;
                byte b = page.getByte(to++);
                int value = b & 0x7f;
                for (int shift = 7; b < 0 && to < last; shift += 7) {
                    b = page.getByte(to++);
                    value |= (b & 0x7f) << shift;
                }
                if (page.validateAndRelease()) {
                    if (b >= 0) {
                        at = from + to;
                        return value;
                    }
                } else {
                    size = 0;
                }
            }
            return super.readVInt(); // byte by byte
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public long readVLong() throws IOException {
        try {
            long offset = at - from;
            if (offset >= 0 && offset <= size - LONGEST_VLONG) {
                int to = (int) offset;
                int last = to + LONGEST_VLONG;
                byte b = page.getByte(to++);
                long value = b & 0x7f;
                for (int shift = 7; b < 0 && to < last; shift += 7) {
                    b = page.getByte(to++);
                    value |= (b & 0x7fL) << shift;
                }
                if (page.validateAndRelease()) {
                    if (b >= 0) {
                        at = from + to;
                        return value;
                    }
                } else {
                    size = 0;
                }
            }
            return super.readVLong();
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    // --- bytes, and arrays of numbers --------------------------------------------------------------------------------

    @Override
    public void readBytes(byte[] target, int offset, int length) throws IOException {
        try {
            bytesAt(at, target, offset, length);
            at += length;
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private void bytesAt(long position, byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        checkRemaining(position, length);
        int done = 0;
        while (done < length) {
            int first = show(position + done, Byte.BYTES);
            int part = Math.min(length - done, size - first);
            page.getBytes(first, target, offset + done, part);
            if (isRight()) {
                done += part;
            }
        }
    }

    /** Copies numbers that lie in one page. */
    private interface Copy<T> {
        void copy(OptimisticPage page, int from, T target, int to, int count);
    }

    /** Reads one number. */
    private interface Single<T> {
        void read(PageInput input, T target, int to) throws IOException;
    }

    /** Reads numbers that lie in several pages, or past the end. */
    private <T> void numbers(T target, int offset, int length, int bytes, Copy<T> copy, Single<T> single)
            throws IOException {
        checkRemaining(at, (long) length * bytes);
        int done = 0;
        while (done < length) {
            int first = show(at, bytes);
            if (first < 0) {
                single.read(this, target, offset + done);
                done++;
                continue;
            }
            int part = Math.min(length - done, (size - first) / bytes);
            copy.copy(page, first, target, offset + done, part);
            if (isRight()) {
                done += part;
                at += (long) part * bytes;
            }
        }
    }

    /**
     * Shows the page that numbers begin in.
     *
     * @param bytes how many the numbers have
     * @return where in the page they begin; −1 if there are none, or they do not lie in one page
     */
    private int showWhole(long bytes) throws IOException {
        long offset = at - from;
        if (offset < 0 || offset >= size) {
            if (bytes <= 0 || at > end - bytes) {
                return -1;
            }
            load(at / pageBytes);
            offset = at - from;
        }
        return bytes > 0 && offset <= size - bytes ? (int) offset : -1;
    }

    @Override
    public void readInts(int[] target, int offset, int length) throws IOException {
        try {
            Objects.checkFromIndexSize(offset, length, target.length);
            int first = showWhole((long) length * Integer.BYTES);
            if (first >= 0) {
                page.getIntsLittleEndian(first, target, offset, length);
                if (isRight()) {
                    at += (long) length * Integer.BYTES;
                    return;
                }
            }
            numbers(
                    target,
                    offset,
                    length,
                    Integer.BYTES,
                    OptimisticPage::getIntsLittleEndian,
                    (in, to, i) -> to[i] = in.readInt());
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public void readLongs(long[] target, int offset, int length) throws IOException {
        try {
            Objects.checkFromIndexSize(offset, length, target.length);
            int first = showWhole((long) length * Long.BYTES);
            if (first >= 0) {
                page.getLongsLittleEndian(first, target, offset, length);
                if (isRight()) {
                    at += (long) length * Long.BYTES;
                    return;
                }
            }
            numbers(
                    target,
                    offset,
                    length,
                    Long.BYTES,
                    OptimisticPage::getLongsLittleEndian,
                    (in, to, i) -> to[i] = in.readLong());
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public void readFloats(float[] target, int offset, int length) throws IOException {
        try {
            Objects.checkFromIndexSize(offset, length, target.length);
            int first = showWhole((long) length * Float.BYTES);
            if (first >= 0) {
                page.getFloatsLittleEndian(first, target, offset, length);
                if (isRight()) {
                    at += (long) length * Float.BYTES;
                    return;
                }
            }
            numbers(
                    target,
                    offset,
                    length,
                    Float.BYTES,
                    OptimisticPage::getFloatsLittleEndian,
                    (in, to, i) -> to[i] = Float.intBitsToFloat(in.readInt()));
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    private void checkRemaining(long position, long bytes) throws IOException {
        if (position > end - bytes) {
            throw past(position);
        }
        if (bytes == 0) {
            checkOpen();
        }
    }

    // --- at any position ---------------------------------------------------------------------------------------------

    private long absolute(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("the position " + position + " is negative: " + this);
        }
        return start + position;
    }

    @Override
    public byte readByte(long position) throws IOException {
        try {
            long offset = start + position - from;
            if (offset >= 0 && offset < size && position >= 0) {
                byte value = page.getByte((int) offset);
                if (page.validateAndRelease()) {
                    return value;
                }
                size = 0;
            }
            return byteAt(absolute(position));
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public void readBytes(long position, byte[] target, int offset, int length) throws IOException {
        try {
            bytesAt(absolute(position), target, offset, length);
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public short readShort(long position) throws IOException {
        try {
            return shortAt(absolute(position));
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public int readInt(long position) throws IOException {
        try {
            long offset = start + position - from;
            if (offset >= 0 && offset <= size - Integer.BYTES && position >= 0) {
                int value = page.getIntLittleEndian((int) offset);
                if (page.validateAndRelease()) {
                    return value;
                }
                size = 0;
            }
            return intAt(absolute(position));
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    @Override
    public long readLong(long position) throws IOException {
        try {
            long offset = start + position - from;
            if (offset >= 0 && offset <= size - Long.BYTES && position >= 0) {
                long value = page.getLongLittleEndian((int) offset);
                if (page.validateAndRelease()) {
                    return value;
                }
                size = 0;
            }
            return longAt(absolute(position));
        } catch (IllegalStateException e) {
            throw closedIfPoolIs(e);
        }
    }

    // --- hints -------------------------------------------------------------------------------------------------------

    @Override
    public void updateIOContext(IOContext context) {
        scans = context.context() == IOContext.Context.MERGE
                || context.hints().contains(ReadOnceHint.INSTANCE)
                || context.hints().contains(DataAccessHint.SEQUENTIAL);
    }

    @Override
    public void prefetch(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, length());
        checkOpen();
        if (length == 0) {
            return;
        }
        long first = (start + offset) / pageBytes;
        long last = (start + offset + length - 1) / pageBytes;
        while (first <= last && isResident(first)) {
            first++;
        }
        if (first <= last) {
            try {
                source.file.pages.prefetch(first, (int) Math.min(Integer.MAX_VALUE, last - first + 1));
            } catch (IllegalStateException e) {
                throw closed(e);
            }
        }
    }

    /** Looks up all pages of a small input, and some of a large one. */
    @Override
    public Optional<Boolean> isLoaded() {
        checkOpen();
        if (start == end) {
            return Optional.of(true);
        }
        long first = start / pageBytes;
        long pages = (end - 1) / pageBytes + 1 - first;
        long step = (pages + PROBES - 1) / PROBES;
        for (long number = first; number < first + pages; number += step) {
            if (!isResident(number)) {
                return Optional.of(false);
            }
        }
        return Optional.of(true);
    }

    private boolean isResident(long number) {
        try {
            return source.file.pool.isResident(PageId.of(source.number, number));
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    // --- position, clones, slices ------------------------------------------------------------------------------------

    @Override
    public long getFilePointer() {
        return at - start;
    }

    @Override
    public void seek(long position) throws IOException {
        long target = absolute(position);
        if (position > length()) {
            throw past(target);
        }
        at = target;
    }

    @Override
    public long length() {
        return end - start;
    }

    @Override
    public PageInput clone() {
        checkOpen();
        PageInput clone = new PageInput(toString(), source, false, start, end);
        clone.at = at;
        clone.scans = scans;
        return clone;
    }

    @Override
    public IndexInput slice(String description, long offset, long length) {
        if (offset < 0 || length < 0 || length > length() - offset) {
            throw new IllegalArgumentException("the slice " + description + " of " + length + " bytes from " + offset
                    + " does not lie in " + length() + " bytes: " + this);
        }
        checkOpen();
        PageInput slice = new PageInput(
                getFullSliceDescription(description), source, false, start + offset, start + offset + length);
        slice.scans = scans;
        return slice;
    }

    @Override
    public IndexInput slice(String description, long offset, long length, IOContext context) {
        IndexInput slice = slice(description, offset, length);
        ((PageInput) slice).updateIOContext(context);
        return slice;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        size = 0;
        page = null;
        if (owns) {
            source.close();
        }
    }
}
