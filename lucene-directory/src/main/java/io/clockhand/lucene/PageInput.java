// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.clockhand.ClockhandException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.lucene.SlabSegments.Slab;
import io.clockhand.page.OptimisticPage;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IOContext.FileOpenHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.PreloadHint;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * Reads the pages of a file optimistically: what was read counts once the page is validated, and is read again if the
 * page was evicted meanwhile. Nothing is pinned or latched between two calls.
 *
 * <p>The page that was read last is shown as a <i>window</i>: {@code size} bytes of the file from {@code from}, not
 * past the ends of this input. A read within it is two comparisons, a load from the slab that the page lies in, and the
 * validation. Any other read goes the slow way, which finds out what it is: the end of the input, a number that crosses
 * pages, or another page.
 *
 * <p>One thread at a time, as all of Lucene's inputs. A different thread may continue if the hand-over is ordered.
 */
final class PageInput extends IndexInput implements RandomAccessInput {
    private static final int LONGEST_VINT = 5;
    private static final int LONGEST_VLONG = 9;
    /** How many pages {@link #isLoaded} looks up at most. */
    private static final int PROBES = 1024;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private static final Copy<int[]> COPY_INTS =
            (in, from, to, i, count) -> MemorySegment.copy(in, INT, from, to, i, count);
    private static final Copy<long[]> COPY_LONGS =
            (in, from, to, i, count) -> MemorySegment.copy(in, LONG, from, to, i, count);
    private static final Copy<float[]> COPY_FLOATS =
            (in, from, to, i, count) -> MemorySegment.copy(in, FLOAT, from, to, i, count);
    private static final Single<int[]> READ_INT = (in, to, i) -> to[i] = in.readInt();
    private static final Single<long[]> READ_LONG = (in, to, i) -> to[i] = in.readLong();
    private static final Single<float[]> READ_FLOAT = (in, to, i) -> to[i] = Float.intBitsToFloat(in.readInt());

    private final InputSource source;
    /** Whether {@link #close} ends the use of the file: not of a clone or slice. */
    private final boolean owns;

    /** Where this input begins in the file. All numbers of bytes here leave out those that the store uses. */
    private final long start;

    private final long length;

    /** Positions in this class count from {@code start}. */
    private long at;
    /** Null before the first read. Holds no latch between two calls, so any thread may go on with it. */
    private OptimisticPage page;

    /** Where the window begins: where its page does, or at 0 if the page begins before this input. */
    private long from;
    /** 0 if no page is shown. */
    private int size;
    /** The slab of the page that was read last; null before the first read. */
    private MemorySegment slab;
    /** What {@code slab} is the segment of. */
    private Slab shownSlab = SlabSegments.NONE;
    /** What is added to a position in the window to get an offset in the slab. */
    private long shift;

    /** Whether pages are read to be read once, so that they displace no others. */
    private boolean scans;
    /** Whether pages that are read stay, but the policy is not notified of later uses, so that others stay longer. */
    private boolean keepsWithoutWeight;

    private boolean closed;

    PageInput(String description, InputSource source, IOContext context) {
        this(description, source, true, 0, source.file.length);
        updateIOContext(context);
        if (context.hints().contains(PreloadHint.INSTANCE)) {
            prefetch(0, length()); // the pool reads a quarter of its size at most
        }
    }

    private PageInput(String description, InputSource source, boolean owns, long start, long length) {
        super(description);
        this.source = source;
        this.owns = owns;
        this.start = start;
        this.length = length;
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    /**
     * Shows the page that has some bytes, of which there is more than none.
     *
     * @return whether they lie in one page
     */
    private boolean show(long position, int bytes) throws IOException {
        if (position < 0 || position > length - bytes) {
            throw past(position);
        }
        if (!isShown(position, 1)) {
            load(position);
        }
        return isShown(position, bytes);
    }

    private boolean isShown(long position, long bytes) {
        long offset = position - from;
        return offset >= 0 && offset <= size - bytes;
    }

    private void load(long position) throws IOException {
        size = 0;
        PageLayout layout = source.file.layout;
        long number = layout.page(start + position);
        OptimisticPage shown = page;
        if (shown == null) {
            shown = newPage();
        }
        int base;
        boolean done = false;
        try {
            long id = source.id(number);
            // (A page that is evicted between the two calls is read as by a scan: slower once, and right.)
            if (scans || (keepsWithoutWeight && source.file.pool.isResident(id))) {
                shown.readForScan(id);
            } else {
                shown.read(id);
            }
            ByteBuffer buffer = shown.slab();
            base = shown.slabOffset();
            if (!shownSlab.isOf(buffer)) {
                shownSlab = source.file.segments.of(buffer);
                slab = shownSlab.segment();
            }
            done = true;
        } catch (ClockhandException | IllegalStateException e) {
            throw failure(number, e);
        } finally {
            if (!done) {
                shown.close(); // it may be latched
            }
        }
        if (source.isClosed()) { // it may be a page of another file
            shown.close();
            throw closed(null);
        }
        long begin = layout.begin(number) - start;
        long first = Math.max(begin, 0);
        from = first;
        shift = base - begin;
        size = (int) (Math.min(begin + layout.usableBytes(), length) - first);
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
        return new EOFException("read past the end, at " + position + " of " + length + " bytes: " + this);
    }

    // --- one number --------------------------------------------------------------------------------------------------

    @Override
    public byte readByte() throws IOException {
        byte value = readByte(at);
        at++;
        return value;
    }

    @Override
    public short readShort() throws IOException {
        short value = readShort(at);
        at += Short.BYTES;
        return value;
    }

    @Override
    public int readInt() throws IOException {
        int value = readInt(at);
        at += Integer.BYTES;
        return value;
    }

    @Override
    public long readLong() throws IOException {
        long value = readLong(at);
        at += Long.BYTES;
        return value;
    }

    @Override
    public byte readByte(long position) throws IOException {
        if (isShown(position, Byte.BYTES)) {
            byte value = slab.get(ValueLayout.JAVA_BYTE, shift + position);
            if (isRight()) {
                return value;
            }
        }
        return byteAt(notNegative(position));
    }

    private byte byteAt(long position) throws IOException {
        byte value;
        do {
            show(position, Byte.BYTES);
            value = slab.get(ValueLayout.JAVA_BYTE, shift + position);
        } while (!isRight());
        return value;
    }

    @Override
    public short readShort(long position) throws IOException {
        if (isShown(position, Short.BYTES)) {
            short value = slab.get(SHORT, shift + position);
            if (isRight()) {
                return value;
            }
        }
        return shortAt(notNegative(position));
    }

    private short shortAt(long position) throws IOException {
        short value;
        do {
            if (!show(position, Short.BYTES)) {
                return (short) (Byte.toUnsignedInt(byteAt(position)) | byteAt(position + 1) << Byte.SIZE);
            }
            value = slab.get(SHORT, shift + position);
        } while (!isRight());
        return value;
    }

    @Override
    public int readInt(long position) throws IOException {
        if (isShown(position, Integer.BYTES)) {
            int value = slab.get(INT, shift + position);
            if (isRight()) {
                return value;
            }
        }
        return intAt(notNegative(position));
    }

    private int intAt(long position) throws IOException {
        int value;
        do {
            if (!show(position, Integer.BYTES)) {
                return Short.toUnsignedInt(shortAt(position)) | shortAt(position + Short.BYTES) << Short.SIZE;
            }
            value = slab.get(INT, shift + position);
        } while (!isRight());
        return value;
    }

    @Override
    public long readLong(long position) throws IOException {
        if (isShown(position, Long.BYTES)) {
            long value = slab.get(LONG, shift + position);
            if (isRight()) {
                return value;
            }
        }
        return longAt(notNegative(position));
    }

    private long longAt(long position) throws IOException {
        long value;
        do {
            if (!show(position, Long.BYTES)) {
                return Integer.toUnsignedLong(intAt(position)) | (long) intAt(position + Integer.BYTES) << Integer.SIZE;
            }
            value = slab.get(LONG, shift + position);
        } while (!isRight());
        return value;
    }

    private long notNegative(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("the position " + position + " is negative: " + this);
        }
        return position;
    }

    // --- numbers of variable length: one validation for all bytes ----------------------------------------------------

    @Override
    public int readVInt() throws IOException {
        if (isShown(at, LONGEST_VINT)) {
            long to = shift + at;
            long last = to + LONGEST_VINT;
            byte b = slab.get(ValueLayout.JAVA_BYTE, to++);
            int value = b & 0x7f;
            for (int bits = 7; b < 0 && to < last; bits += 7) {
                b = slab.get(ValueLayout.JAVA_BYTE, to++);
                value |= (b & 0x7f) << bits;
            }
            if (isRight() && b >= 0) {
                at = to - shift;
                return value;
            }
        }
        return super.readVInt(); // byte by byte
    }

    @Override
    public long readVLong() throws IOException {
        if (isShown(at, LONGEST_VLONG)) {
            long to = shift + at;
            long last = to + LONGEST_VLONG;
            byte b = slab.get(ValueLayout.JAVA_BYTE, to++);
            long value = b & 0x7f;
            for (int bits = 7; b < 0 && to < last; bits += 7) {
                b = slab.get(ValueLayout.JAVA_BYTE, to++);
                value |= (b & 0x7fL) << bits;
            }
            if (isRight() && b >= 0) {
                at = to - shift;
                return value;
            }
        }
        return super.readVLong();
    }

    // --- bytes, and arrays of numbers --------------------------------------------------------------------------------

    @Override
    public void readBytes(byte[] target, int offset, int count) throws IOException {
        bytesAt(at, target, offset, count);
        at += count;
    }

    @Override
    public void readBytes(long position, byte[] target, int offset, int count) throws IOException {
        bytesAt(notNegative(position), target, offset, count);
    }

    private void bytesAt(long position, byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        checkRemaining(position, count);
        int done = 0;
        while (done < count) {
            long next = position + done;
            show(next, Byte.BYTES);
            int part = (int) Math.min(count - done, from + size - next);
            MemorySegment.copy(slab, ValueLayout.JAVA_BYTE, shift + next, target, offset + done, part);
            if (isRight()) {
                done += part;
            }
        }
    }

    /** Copies numbers that lie in one page. */
    private interface Copy<T> {
        void copy(MemorySegment slab, long from, T target, int to, int count);
    }

    /** Reads one number. */
    private interface Single<T> {
        void read(PageInput input, T target, int to) throws IOException;
    }

    /** Reads numbers that lie in several pages, or past the end. */
    private <T> void numbers(T target, int offset, int count, int bytes, Copy<T> copy, Single<T> single)
            throws IOException {
        checkRemaining(at, (long) count * bytes);
        int done = 0;
        while (done < count) {
            if (!show(at, bytes)) {
                single.read(this, target, offset + done);
                done++;
                continue;
            }
            int part = (int) Math.min(count - done, (from + size - at) / bytes);
            copy.copy(slab, shift + at, target, offset + done, part);
            if (isRight()) {
                done += part;
                at += (long) part * bytes;
            }
        }
    }

    /**
     * Shows the page that the next numbers begin in.
     *
     * @param bytes how many the numbers have
     * @return whether there are any, and they lie in one page
     */
    private boolean showWhole(long bytes) throws IOException {
        if (!isShown(at, 1)) {
            if (bytes <= 0 || at > length - bytes) {
                return false;
            }
            load(at);
        }
        return bytes > 0 && isShown(at, bytes);
    }

    @Override
    public void readInts(int[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        long bytes = (long) count * Integer.BYTES;
        if (showWhole(bytes)) {
            MemorySegment.copy(slab, INT, shift + at, target, offset, count);
            if (isRight()) {
                at += bytes;
                return;
            }
        }
        numbers(target, offset, count, Integer.BYTES, COPY_INTS, READ_INT);
    }

    @Override
    public void readLongs(long[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        long bytes = (long) count * Long.BYTES;
        if (showWhole(bytes)) {
            MemorySegment.copy(slab, LONG, shift + at, target, offset, count);
            if (isRight()) {
                at += bytes;
                return;
            }
        }
        numbers(target, offset, count, Long.BYTES, COPY_LONGS, READ_LONG);
    }

    @Override
    public void readFloats(float[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        long bytes = (long) count * Float.BYTES;
        if (showWhole(bytes)) {
            MemorySegment.copy(slab, FLOAT, shift + at, target, offset, count);
            if (isRight()) {
                at += bytes;
                return;
            }
        }
        numbers(target, offset, count, Float.BYTES, COPY_FLOATS, READ_FLOAT);
    }

    private void checkRemaining(long position, long bytes) throws IOException {
        if (position > length - bytes) {
            throw past(position);
        }
        if (bytes == 0) {
            checkOpen();
        }
    }

    // --- hints -------------------------------------------------------------------------------------------------------

    @Override
    public void updateIOContext(IOContext context) {
        Set<FileOpenHint> hints = context.hints();
        boolean merges = context.context() == IOContext.Context.MERGE;
        // A merge reads the vectors that it has written at random, many times each, to make their graph.
        keepsWithoutWeight = merges && hints.contains(DataAccessHint.RANDOM);
        scans = !hints.contains(DataAccessHint.RANDOM)
                && (merges || hints.contains(ReadOnceHint.INSTANCE) || hints.contains(DataAccessHint.SEQUENTIAL));
    }

    @Override
    public void prefetch(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, length());
        checkOpen();
        if (length == 0) {
            return;
        }
        PageLayout layout = source.file.layout;
        long first = layout.page(start + offset);
        long last = layout.page(start + offset + length - 1);
        while (first <= last && isResident(first)) {
            first++;
        }
        if (first <= last) {
            try {
                source.file.pages.prefetch(first, (int) Math.min(Integer.MAX_VALUE, last - first + 1));
            } catch (ClockhandException e) {
                return; // it is only a hint: the read that follows tells
            } catch (IllegalStateException e) {
                throw closed(e);
            }
        }
    }

    /** Looks up all pages of a small input, and some of a large one. */
    @Override
    public Optional<Boolean> isLoaded() {
        checkOpen();
        if (length == 0) {
            return Optional.of(true);
        }
        PageLayout layout = source.file.layout;
        long first = layout.page(start);
        long pages = layout.page(start + length - 1) + 1 - first;
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
            return source.file.pool.isResident(source.id(number));
        } catch (ClockhandException e) {
            return false; // the pool has failed
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    // --- position, clones, slices ------------------------------------------------------------------------------------

    @Override
    public long getFilePointer() {
        return at;
    }

    @Override
    public void seek(long position) throws IOException {
        if (notNegative(position) > length) {
            throw past(position);
        }
        at = position;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public PageInput clone() {
        checkOpen();
        PageInput clone = new PageInput(toString(), source, false, start, length);
        clone.at = at;
        clone.scans = scans;
        clone.keepsWithoutWeight = keepsWithoutWeight;
        return clone;
    }

    @Override
    public IndexInput slice(String description, long offset, long bytes) {
        if (offset < 0 || bytes < 0 || bytes > length - offset) {
            throw new IllegalArgumentException("the slice " + description + " of " + bytes + " bytes from " + offset
                    + " does not lie in " + length + " bytes: " + this);
        }
        checkOpen();
        PageInput slice = new PageInput(getFullSliceDescription(description), source, false, start + offset, bytes);
        slice.scans = scans;
        slice.keepsWithoutWeight = keepsWithoutWeight;
        return slice;
    }

    @Override
    public IndexInput slice(String description, long offset, long bytes, IOContext context) {
        IndexInput slice = slice(description, offset, bytes);
        ((PageInput) slice).updateIOContext(context);
        return slice;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        size = 0;
        slab = null;
        shownSlab = SlabSegments.NONE;
        OptimisticPage last = page;
        page = null;
        try {
            if (last != null) {
                last.close(); // it has a latch only if a read has failed by an error
            }
        } finally {
            if (owns) {
                source.close();
            }
        }
    }
}
