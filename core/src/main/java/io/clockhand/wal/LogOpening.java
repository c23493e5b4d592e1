// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.FileOption;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Opens a log.
 *
 * <ol>
 *   <li>Become the owner.
 *   <li>Check the header of each segment. A segment whose header is torn, and which has nothing else, was never in use:
 *       its creation has failed, or was ended by a crash. It is deleted, after all other checks.
 *   <li>Check that each segment reaches up to the next one.
 *   <li>Find the end in the last segment. All others were forced before it was created.
 *   <li>If the broken record there was durable, the log is damaged: nothing is changed.
 *   <li>Write the header, and the pages from the last position on that is known to be durable, once more: a force that
 *       has failed may have left them in the system's cache, marked as clean. Behind the end come zeros. Truncate the
 *       rest, and force it all.
 * </ol>
 *
 * <p>Used by one thread, once.
 */
final class LogOpening {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final LogFileBuilder settings;
    private final SegmentStores stores;
    private final int pageBytes;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private final Deque<PageStore> torn = new ArrayDeque<>();
    private final ByteBuffer page;

    private Closeable owner;
    /** The greatest LSN at which a segment begins whose creation has not ended. */
    private long lastTorn;

    private long identity;
    private LogBuffer active;
    private LogBuffer spare;
    private long end;

    private LogOpening(LogFileBuilder settings, SegmentStores stores) {
        this.settings = settings;
        this.stores = stores;
        this.pageBytes = stores.pageBytes();
        this.page = ByteBuffer.allocateDirect(2 * pageBytes)
                .alignedSlice(pageBytes)
                .limit(pageBytes)
                .slice();
    }

    static LogFile open(LogFileBuilder settings, SegmentStores stores) throws IOException {
        LogOpening opening = new LogOpening(settings, stores);
        boolean opened = false;
        try {
            opening.open();
            LogFile log = new LogFile(settings, opening);
            opened = true;
            return log;
        } finally {
            if (!opened) {
                opening.undo();
            }
        }
    }

    SegmentStores stores() {
        return stores;
    }

    Closeable owner() {
        return owner;
    }

    long identity() {
        return identity;
    }

    Deque<Segment> segments() {
        return segments;
    }

    LogBuffer active() {
        return active;
    }

    LogBuffer spare() {
        return spare;
    }

    long end() {
        return end;
    }

    private void open() throws IOException {
        int bufferBytes = settings.bufferSize(pageBytes);
        active = new LogBuffer(bufferBytes, pageBytes);
        spare = new LogBuffer(bufferBytes, pageBytes);
        boolean creates = settings.options().contains(FileOption.CREATE)
                || settings.options().contains(FileOption.CREATE_NEW);
        owner = stores.own(creates);
        List<String> names = stores.list().stream().sorted().toList();
        if (names.isEmpty() && !creates) {
            throw new NoSuchFileException(
                    stores.name(), null, "there is no log in it; open it with FileOption.CREATE to create one");
        }
        if (!names.isEmpty() && settings.options().contains(FileOption.CREATE_NEW)) {
            throw new FileAlreadyExistsException(stores.name(), null, "there is a log in it");
        }
        for (String name : names) {
            addSegment(name);
        }
        if (segments.isEmpty()) {
            checkMayCreate(creates);
            deleteTorn();
            create();
        }
        stores.force();
        long durable = findEnd();
        deleteTorn();
        erase(segments.getLast(), durable);
    }

    // --- headers -----------------------------------------------------------------------------------------------------

    private void addSegment(String name) throws IOException {
        long first = Long.parseUnsignedLong(name.substring(0, name.indexOf('.')), 16);
        Segment segment = new Segment(first, pageBytes);
        segment.store = stores.open(name, false);
        boolean added = false;
        try {
            SegmentHeader header = readHeader(segment.store);
            if (header == null && isTornCreation(segment.store, first)) {
                torn.add(segment.store);
                lastTorn = Math.max(lastTorn, first);
                added = true;
                return;
            }
            check(segment, header);
            if (!segments.isEmpty()) {
                endFormer(segment);
            }
            identity = header.identity();
            segments.add(segment);
            added = true;
        } finally {
            if (!added) {
                closeQuietly(segment.store);
            }
        }
    }

    /** Deletes the segments whose creation has not ended. Each may lie anywhere, since the log may have gone on. */
    private void deleteTorn() throws IOException {
        while (!torn.isEmpty()) {
            torn.getFirst().delete();
            torn.removeFirst();
        }
    }

    private SegmentHeader readHeader(PageStore store) throws IOException {
        if (store.pages() == 0) {
            zero(page);
            return null;
        }
        store.read(0, page.clear());
        return SegmentHeader.in(page.clear());
    }

    /** {@return whether the page that was read is what a crash has left of a segment that was being created} */
    private boolean isTornCreation(PageStore store, long first) throws IOException {
        return store.pages() <= 1 && SegmentHeader.mayBecome(page.clear(), first);
    }

    private void check(Segment segment, SegmentHeader header) throws IOException {
        String reason = null;
        if (header == null) {
            reason = SegmentHeader.reasonAgainst(page);
        } else if (header.pageBytes() != pageBytes) {
            reason = "its pages have " + header.pageBytes() + " bytes, not " + pageBytes;
        } else if (header.first() != segment.first()) {
            reason = "its name should be " + Segment.nameOf(header.first());
        } else if (!segments.isEmpty() && header.identity() != identity) {
            reason = "it belongs to another log than " + segments.getFirst();
        }
        if (reason != null) {
            throw new IOException("cannot open the log in " + stores.name() + ": " + reason + ": " + segment
                    + "; if it is no file of the log, move it away; nothing was changed");
        }
    }

    /** Ends the segment before another one. */
    private void endFormer(Segment next) throws IOException {
        Segment former = segments.getLast();
        if (former.store.pages() * pageBytes < former.offsetOf(next.first())) {
            throw new LogDamagedException(
                    stores.name() + "/" + former,
                    former.lsnAt(former.store.pages() * pageBytes),
                    "the file ends there, but the next segment is " + next + "; the file was truncated, or a segment"
                            + " is missing");
        }
        former.end(next.first());
        PageStore store = former.store;
        former.store = null;
        store.close();
    }

    // --- creation ----------------------------------------------------------------------------------------------------

    private void checkMayCreate(boolean creates) throws IOException {
        if (!creates) {
            throw new NoSuchFileException(
                    stores.name(), null, "a crash has ended the creation of the log; open it with FileOption.CREATE");
        }
        if (settings.durableEnd() > settings.firstLsn()) {
            throw new NoSuchFileException(
                    stores.name(),
                    null,
                    "there is no log in it, though it was durable up to LSN " + settings.durableEnd()
                            + ": restore its segments, or choose the right folder; nothing was changed");
        }
    }

    /** A segment that a crash has torn may follow others that were lost: no LSN below its own is used again. */
    private void create() throws IOException {
        identity = RANDOM.nextLong();
        Segment first = new Segment(Math.max(settings.firstLsn(), lastTorn), pageBytes);
        first.store = openNew(stores, first);
        segments.add(first);
        first.store.write(0, new SegmentHeader(pageBytes, identity, first.first()).page());
        first.store.force();
    }

    /**
     * Opens the store of a new segment. A file that is there already must be one whose creation has not ended.
     *
     * @return the store, in which nothing was changed
     */
    static PageStore openNew(SegmentStores stores, Segment segment) throws IOException {
        PageStore store = stores.open(segment.name(), true);
        boolean opened = false;
        try {
            if (!store.isNew()) {
                checkTornCreation(store, segment.first());
                stores.force();
            }
            opened = true;
            return store;
        } finally {
            if (!opened) {
                closeQuietly(store);
            }
        }
    }

    private static void checkTornCreation(PageStore store, long first) throws IOException {
        long pages = store.pages();
        ByteBuffer found = ByteBuffer.allocate(store.pageBytes());
        if (pages == 1) {
            store.read(0, found);
        }
        if (pages > 1 || !SegmentHeader.mayBecome(found.clear(), first)) {
            throw new FileAlreadyExistsException(
                    store.name(), null, "it has the name of a new segment of the log; move it away");
        }
    }

    // --- the end of the log ------------------------------------------------------------------------------------------

    /** {@return up to where the last segment is known to be durable} */
    private long findEnd() throws IOException {
        Segment last = segments.getLast();
        SegmentInput input = new SegmentInput(pageBytes, identity);
        input.turnTo(last);
        long limit = last.store.pages() * pageBytes;
        long durable = last.first();
        long next = last.first();
        String reason = null;
        while (reason == null) {
            reason = input.readHeader(next, limit);
            if (reason == null && !input.isIntact(next, limit)) {
                reason = "the checksum of the record is wrong";
            }
            if (reason == null) {
                durable = Math.max(durable, input.durable(next));
                next += (long) RecordFormat.HEADER_BYTES + input.length();
            }
        }
        long known = Math.max(settings.durableEnd(), durableBehind(next, last, input, limit));
        if (known > next) {
            throw new LogDamagedException(
                    stores.name() + "/" + last,
                    next,
                    reason + ", though the log was durable up to " + known
                            + ": records there, or later segments, are lost");
        }
        end = next;
        return durable;
    }

    /** {@return up to where the log was durable, by the records behind a position that are whole} */
    private static long durableBehind(long broken, Segment segment, SegmentInput input, long limit) throws IOException {
        long last = segment.lsnAt(limit) - RecordFormat.HEADER_BYTES;
        for (long lsn = broken + 1; lsn <= last; lsn++) {
            if (input.readHeader(lsn, limit) == null && input.durable(lsn) > broken && input.isIntact(lsn, limit)) {
                return input.durable(lsn);
            }
        }
        return 0;
    }

    /** Erases what lies behind the end, and makes the rest durable. */
    private void erase(Segment last, long durable) throws IOException {
        PageStore store = last.store;
        long endOffset = last.offsetOf(end);
        long endPage = endOffset / pageBytes;
        store.write(0, new SegmentHeader(pageBytes, identity, last.first()).page());
        for (long number = last.offsetOf(durable) / pageBytes; number < endPage; number++) {
            store.read(number, page.clear());
            store.write(number, page.clear());
        }
        int used = (int) (endOffset % pageBytes);
        active.clear(endPage);
        if (used > 0) {
            store.read(endPage, page.clear());
            active.begin(endPage, used, page.clear());
            store.write(endPage, active.pages());
        }
        store.truncate(endPage + (used > 0 ? 1 : 0));
        store.force();
    }

    private static void zero(ByteBuffer page) {
        for (int i = 0; i < page.capacity(); i++) {
            page.put(i, (byte) 0);
        }
    }

    // --- failure -----------------------------------------------------------------------------------------------------

    private void undo() {
        for (Segment segment : segments) {
            closeQuietly(segment.store);
        }
        torn.forEach(LogOpening::closeQuietly);
        closeQuietly(owner);
    }

    static void closeQuietly(Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (Throwable e) { // also a checked exception of another language
            // the caller throws what has failed before
        }
    }
}
