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
public abstract class PageStoreContract extends PageStoreThreadsContract {
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
                        if (target.get(at) != expected) {
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
                assertThat(read(store, page)).isZero();
            }
            assertThat(read(store, 4)).isEqualTo(9);
        }
    }

    @Test
    void farPageIsWrittenAndRead() throws IOException {
        long far = farPage();
        try (PageStore store = open()) {
            write(store, far, 3);

            assertThat(store.pages()).isEqualTo(far + 1);
            assertThat(read(store, far)).isEqualTo(3);
            assertThat(read(store, far - 1)).isZero();
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
            assertThat(read(store, 1)).isZero();
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
            assertRefused(store, () -> store.truncate(-1));
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
            assertThat(read(store, 1)).isZero();
            assertThat(read(store, 2)).isZero();
            assertThat(read(store, 3)).isEqualTo(9);
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
