// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link PageStore} as tests. A subclass opens the store:
 *
 * <pre>{@code
 * class MyStoreTest extends PageStoreContract {
 *     @TempDir
 *     private Path folder;
 *
 *     @Override
 *     protected PageStore open() throws IOException {
 *         return MyStore.open(folder.resolve("pages"), pageBytes());
 *     }
 * }
 * }</pre>
 *
 * <p>JUnit creates an instance for each test, so each test has a store of its own. Two things cannot be observed here
 * and must be tested elsewhere: the state after a crash, and short transfers of the device.
 */
public abstract class PageStoreContract extends PageStoreBatchContract {
    /** Creates the tests. */
    protected PageStoreContract() {}

    /**
     * Opens the store of the current test. Its first call in a test opens an empty store. The tests close a store
     * before they open it again; then it has the same pages, if it {@linkplain #isPersistent is persistent} and was
     * not deleted.
     *
     * @return the store, which the test closes
     * @throws IOException if it cannot be opened
     */
    @Override
    protected abstract PageStore open() throws IOException;

    /** {@return the page size of the store in bytes; 4,096 if not overridden} */
    @Override
    protected int pageBytes() {
        return 4096;
    }

    /** {@return whether the store keeps its pages when it is closed and opened again; true if not overridden} */
    protected boolean isPersistent() {
        return true;
    }

    /**
     * {@return the number of a page that is written far behind the end of the store; greater than an int if not
     * overridden. A store of limited size returns less}
     */
    protected long farPage() {
        return (1L << 31) + 5;
    }

    /**
     * {@return whether a byte of each page belongs to the store, which may change it, as a checksum; false if not
     * overridden}
     *
     * @param at where it lies in the page
     */
    @Override
    protected boolean isOwnByte(int at) {
        return false;
    }

    /**
     * {@return whether pages that were never written are read as zeros, those of an extension for example; true if not
     * overridden. Otherwise reading one must fail with the names of store and page}
     */
    @Override
    protected boolean showsPagesNeverWritten() {
        return true;
    }

    // --- bytes -------------------------------------------------------------------------------------------------------

    @Test
    void newStoreIsEmptyAndHasItsPageSizeAndAName() throws IOException {
        try (PageStore store = open()) {
            assertThat(store.pages()).isZero();
            assertThat(store.pageBytes()).isEqualTo(pageBytes());
            assertThat(store.name()).isNotBlank();
            assertThatThrownBy(() -> read(store, 0)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void readReturnsTheBytesOfTheLatestWrite() throws IOException {
        try (PageStore store = open()) {
            for (int page = 0; page < 3; page++) {
                write(store, page, 10 + page);
            }
            write(store, 1, 21);

            assertThat(store.pages()).isEqualTo(3);
            assertThat(read(store, 0)).isEqualTo(10);
            assertThat(read(store, 1)).isEqualTo(21);
            assertThat(read(store, 2)).isEqualTo(12);
        }
    }

    @Test
    void buffersOfEveryKindAreTransferredFromPositionToLimitOnly() throws IOException {
        int bytes = pageBytes();
        try (PageStore store = open()) {
            long value = 0;
            for (boolean direct : new boolean[] {false, true}) {
                for (int offset : new int[] {0, 1, 8, bytes}) {
                    value++;
                    ByteBuffer source = allocate(direct, offset + bytes + 8);
                    fill(source.position(offset).limit(offset + bytes), value);
                    ByteBuffer readOnly = source.position(offset).asReadOnlyBuffer();
                    store.write(1, readOnly);
                    assertThat(readOnly.position())
                            .as("all of the source is consumed")
                            .isEqualTo(offset + bytes);
                    assertThat(readOnly.limit()).isEqualTo(offset + bytes);

                    ByteBuffer target = allocate(direct, offset + bytes + 8);
                    store.read(1, target.position(offset).limit(offset + bytes));
                    assertThat(target.position())
                            .as("all of the target is filled")
                            .isEqualTo(offset + bytes);
                    assertThat(target.limit()).isEqualTo(offset + bytes);
                    target.clear();
                    for (int at = 0; at < target.capacity(); at++) {
                        boolean inside = at >= offset && at < offset + bytes;
                        byte expected = inside ? source.get(at) : 0;
                        if (target.get(at) != expected && !(inside && isOwnByte(at - offset))) {
                            assertThat(target.get(at))
                                    .as("byte %d of a %s buffer with offset %d", at, direct ? "direct" : "heap", offset)
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
        }
    }

    @Test
    void writeBehindTheEndExtendsTheStoreWithZeros() throws IOException {
        try (PageStore store = open()) {
            write(store, 4, 9);

            assertThat(store.pages()).isEqualTo(5);
            for (int page = 0; page < 4; page++) {
                assertNeverWritten(store, page);
            }
            assertThat(read(store, 4)).isEqualTo(9);
        }
    }

    @Test
    void runOfPagesEqualsSingleWrites() throws IOException {
        int bytes = pageBytes();
        try (PageStore store = open()) {
            for (int page = 0; page < 6; page++) {
                write(store, page, 10 + page);
            }
            long value = 20;
            for (boolean direct : new boolean[] {false, true}) {
                for (boolean readOnly : new boolean[] {false, true}) {
                    for (int pages : new int[] {1, 2, 4}) {
                        for (int offset : new int[] {0, 8, bytes}) {
                            value += 10;
                            ByteBuffer source = allocate(direct, offset + pages * bytes + 8);
                            source.position(offset)
                                    .put(run(false, pages, value))
                                    .flip();
                            source.position(offset);
                            ByteBuffer written = readOnly ? source.asReadOnlyBuffer() : source;
                            store.writeRun(1, written);

                            assertThat(written.position())
                                    .as("all of the source is consumed")
                                    .isEqualTo(offset + pages * bytes);
                            assertThat(written.limit()).isEqualTo(offset + pages * bytes);
                            for (int page = 0; page < pages; page++) {
                                assertThat(read(store, 1 + page)).isEqualTo(value + page);
                            }
                            assertThat(read(store, 0)).isEqualTo(10);
                            assertThat(read(store, 5)).isEqualTo(15);
                        }
                    }
                }
            }
            assertThat(store.pages()).isEqualTo(6);
        }
    }

    @Test
    void runThatIsReadEqualsSingleReads() throws IOException {
        int bytes = pageBytes();
        try (PageStore store = open()) {
            for (int page = 0; page < 6; page++) {
                write(store, page, 10 + page);
            }
            for (boolean direct : new boolean[] {false, true}) {
                for (int offset : new int[] {0, 8, bytes}) {
                    for (int pages : new int[] {1, 2, 5}) {
                        ByteBuffer[] targets = new ByteBuffer[6];
                        for (int i = 0; i < targets.length; i++) {
                            targets[i] = allocate(direct, offset + bytes + 8)
                                    .position(offset)
                                    .limit(offset + bytes);
                        }
                        ByteBuffer[] passed = targets.clone();
                        store.readRun(1, passed, pages);

                        assertThat(passed).as("the array is not changed").containsExactly(targets);
                        for (int i = 0; i < targets.length; i++) {
                            assertThat(targets[i].position())
                                    .as("a target is filled if it belongs to the run")
                                    .isEqualTo(i < pages ? offset + bytes : offset);
                            assertThat(targets[i].limit()).isEqualTo(offset + bytes);
                            targets[i].clear();
                            assertThat(isOnly(targets[i], offset, i < pages ? 11 + i : 0))
                                    .as("page %d of %d, in a %s buffer", i, pages, direct ? "direct" : "heap")
                                    .isTrue();
                        }
                    }
                }
            }
        }
    }

    @Test
    void runIsReadIntoTargetsOfSeveralPages() throws IOException {
        int bytes = pageBytes();
        try (PageStore store = open()) {
            for (int page = 0; page < 8; page++) {
                write(store, page, 10 + page);
            }
            for (boolean direct : new boolean[] {false, true}) {
                for (int[] sizes : new int[][] {{6}, {2, 1, 3}, {1, 5}, {3, 3}}) {
                    ByteBuffer[] targets = new ByteBuffer[sizes.length];
                    for (int i = 0; i < sizes.length; i++) {
                        targets[i] = allocate(direct, 8 + sizes[i] * bytes).position(8);
                    }
                    store.readRun(1, targets, sizes.length);
                    long page = 1;
                    for (int i = 0; i < sizes.length; i++) {
                        assertThat(targets[i].hasRemaining()).isFalse();
                        for (int at = 8; at < targets[i].limit(); at += bytes) {
                            ByteBuffer one = ByteBuffer.allocate(bytes).put(0, targets[i], at, bytes);
                            assertThat(isOnly(one, 0, 10 + page))
                                    .as("page %d, in targets of %s pages", page, Arrays.toString(sizes))
                                    .isTrue();
                            page++;
                        }
                    }
                }
            }
        }
    }

    /** {@return whether a page of a value lies at an offset, and nothing elsewhere} */
    private boolean isOnly(ByteBuffer bytes, int offset, long value) {
        ByteBuffer expected = ByteBuffer.allocate(bytes.capacity());
        fill(expected.position(offset).limit(offset + pageBytes()), value);
        expected.clear();
        boolean right = true;
        for (int at = 0; at < bytes.capacity(); at++) {
            boolean own = at >= offset && at < offset + pageBytes() && isOwnByte(at - offset);
            right &= own || bytes.get(at) == expected.get(at);
        }
        return right;
    }

    @Test
    void runThatEndsBehindTheStoreFailsAndLeavesThePagesReadable() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 5);
            write(store, 1, 6);

            for (int pages = 2; pages < 5; pages++) {
                int count = pages;
                assertThatThrownBy(() -> store.readRun(1, targets(count), count))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining(store.name());
            }
            assertThat(store.pages()).as("a read does not extend the store").isEqualTo(2);
            assertThat(read(store, 0)).isEqualTo(5);
            assertThat(read(store, 1)).isEqualTo(6);
        }
    }

    private ByteBuffer[] targets(int pages) {
        ByteBuffer[] targets = new ByteBuffer[pages];
        for (int i = 0; i < pages; i++) {
            targets[i] = ByteBuffer.allocateDirect(pageBytes());
        }
        return targets;
    }

    @Test
    void runBehindTheEndExtendsTheStoreWithZeros() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);
            store.writeRun(0, run(true, 2, 5));
            store.writeRun(4, run(true, 3, 7));

            assertThat(store.pages()).isEqualTo(7);
            assertThat(read(store, 0)).isEqualTo(5);
            assertThat(read(store, 1)).isEqualTo(6);
            assertNeverWritten(store, 2);
            assertNeverWritten(store, 3);
            for (int page = 4; page < 7; page++) {
                assertThat(read(store, page)).isEqualTo(3 + page);
            }
        }
    }

    @Test
    void farPageIsWrittenAndRead() throws IOException {
        long far = farPage();
        try (PageStore store = open()) {
            write(store, far, 3);

            assertThat(store.pages()).isEqualTo(far + 1);
            assertThat(read(store, far)).isEqualTo(3);
            assertNeverWritten(store, far - 1);
            store.truncate(1);
            assertThat(store.pages()).isEqualTo(1);
        }
    }

    @Test
    void storeThatIsOpenedAgainHasThePagesThatWereForced() throws IOException {
        assumeTrue(isPersistent(), "the store does not keep its pages");
        try (PageStore store = open()) {
            write(store, 0, 7);
            write(store, 2, 9);
            store.force();
        }
        try (PageStore store = open()) {
            assertThat(store.pages()).isEqualTo(3);
            assertThat(read(store, 0)).isEqualTo(7);
            assertNeverWritten(store, 1);
            assertThat(read(store, 2)).isEqualTo(9);
        }
    }

    // --- errors ------------------------------------------------------------------------------------------------------

    @Test
    void readBehindTheEndNamesStoreAndPage() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            for (long page : new long[] {1, 4711, farPage()}) {
                assertThatThrownBy(() -> read(store, page))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining(store.name())
                        .hasMessageContaining(String.valueOf(page));
            }
            assertThat(store.pages()).as("a read does not extend the store").isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void negativePageIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            assertRefused(store, () -> read(store, -1));
            assertRefused(store, () -> write(store, -1, 2));
            assertRefused(store, () -> store.writeRun(-1, run(true, 2, 2)));
            assertRefused(store, () -> store.readRun(-1, targets(2), 2));
            assertRefused(store, () -> store.truncate(-1));
            assertRefused(store, () -> store.extend(-1));
            assertThat(store.pages()).isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void pageAtAPositionThatNoFileHasIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);
            long bytes = Long.MAX_VALUE / store.pageBytes();
            for (long far : new long[] {bytes, bytes + 1, 2 * bytes + 3, Long.MAX_VALUE}) {
                assertRefused(store, () -> read(store, far));
                assertRefused(store, () -> write(store, far, 2));
                assertRefused(store, () -> store.writeRun(far - 1, run(true, 2, 2)));
                assertRefused(store, () -> store.readRun(far - 1, targets(2), 2));
                assertRefused(store, () -> store.writeBatch(new long[] {0, far}, 0, 2, run(true, 2, 2)));
                assertRefused(store, () -> store.extend(far));
            }
            assertThat(store.pages()).isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void bufferOfAnotherSizeIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            for (int bytes : new int[] {0, pageBytes() - 1, pageBytes() + 1, 2 * pageBytes()}) {
                assertRefused(store, () -> store.read(0, ByteBuffer.allocate(bytes)));
                assertRefused(store, () -> store.write(0, ByteBuffer.allocate(bytes)));
            }
            for (int bytes : new int[] {0, pageBytes() - 1, pageBytes() + 1}) {
                ByteBuffer[] second = targets(2);
                second[1] = ByteBuffer.allocate(bytes);
                assertRefused(store, () -> store.readRun(0, second, 2));
            }
            assertRefused(store, () -> store.readRun(0, targets(2), 0));
            assertRefused(store, () -> store.readRun(0, targets(2), 3));
            for (int bytes : new int[] {0, 1, pageBytes() - 1, pageBytes() + 1, 2 * pageBytes() - 1}) {
                assertRefused(store, () -> store.writeRun(0, ByteBuffer.allocate(bytes)));
            }
            assertThat(store.pages()).isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void closedStoreFailsEveryTransferByName() throws IOException {
        PageStore store = open();
        write(store, 0, 1);
        store.close();

        assertFails(store, () -> read(store, 0));
        assertFails(store, () -> write(store, 0, 2));
        assertFails(store, () -> store.writeRun(0, run(true, 2, 2)));
        assertFails(store, () -> store.readRun(0, targets(1), 1));
        assertFails(store, () -> store.extend(3));
        assertFails(store, store::force);
        assertFails(store, () -> store.truncate(0));
        assertThatCode(store::close).as("closed again").doesNotThrowAnyException();
    }

    // --- length ------------------------------------------------------------------------------------------------------

    @Test
    void truncatedStoreGrowsAgainWithZeros() throws IOException {
        try (PageStore store = open()) {
            for (int page = 0; page < 4; page++) {
                write(store, page, page + 1);
            }
            store.truncate(1);
            assertThat(store.pages()).isEqualTo(1);
            assertThatThrownBy(() -> read(store, 1)).isInstanceOf(EOFException.class);

            write(store, 3, 9);
            assertThat(store.pages()).isEqualTo(4);
            assertThat(read(store, 0)).isEqualTo(1);
            assertNeverWritten(store, 1);
            assertNeverWritten(store, 2);
            assertThat(read(store, 3)).isEqualTo(9);
        }
    }

    @Test
    void extensionAddsZerosAndLeavesThePagesBefore() throws IOException {
        int many = 3 + (2 << 20) / pageBytes(); // more than a store may write at a time
        try (PageStore store = open()) {
            store.extend(0);
            assertThat(store.pages()).isZero();
            store.extend(3);
            write(store, 1, 7);
            write(store, 2, 8);
            store.extend(many);

            assertThat(store.pages()).isEqualTo(many);
            assertThat(read(store, 1)).isEqualTo(7);
            assertThat(read(store, 2)).isEqualTo(8);
            for (int page = 3; page < many; page++) {
                assertNeverWritten(store, page);
            }
            write(store, many - 1, 9);
            assertThat(store.pages()).isEqualTo(many);
            assertThat(read(store, many - 1)).isEqualTo(9);
            assertNeverWritten(store, many - 2);
        }
    }

    @Test
    void extensionOfAStoreThatHasEnoughPagesChangesNothing() throws IOException {
        try (PageStore store = open()) {
            store.writeRun(0, run(true, 3, 5));
            for (long pages : new long[] {0, 2, 3}) {
                store.extend(pages);
                assertThat(store.pages()).isEqualTo(3);
            }
            for (int page = 0; page < 3; page++) {
                assertThat(read(store, page)).isEqualTo(5 + page);
            }
        }
    }

    @Test
    void truncatedStoreIsExtendedByZeros() throws IOException {
        try (PageStore store = open()) {
            store.writeRun(0, run(true, 3, 5));
            store.truncate(1);
            store.extend(3);

            assertThat(store.pages()).isEqualTo(3);
            assertThat(read(store, 0)).isEqualTo(5);
            assertNeverWritten(store, 1);
            assertNeverWritten(store, 2);
        }
    }

    @Test
    void truncationToTheSameLengthChangesNothingAndToZeroRemovesEveryPage() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);
            write(store, 1, 2);
            store.truncate(2);
            assertThat(store.pages()).isEqualTo(2);
            assertThat(read(store, 1)).isEqualTo(2);

            store.truncate(0);
            assertThat(store.pages()).isZero();
            assertThatThrownBy(() -> read(store, 0)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void deletedStoreIsClosedAndEmptyWhenItIsOpenedAgain() throws IOException {
        PageStore deleted = open();
        write(deleted, 1, 1);
        deleted.delete();

        assertFails(deleted, () -> read(deleted, 1));
        deleted.close();
        try (PageStore store = open()) {
            assertThat(store.pages()).isZero();
        }
    }
}
