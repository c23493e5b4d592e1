// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.PageId;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a file is forced: what was written since the last force began must come to the device by the next one. */
class FileForceTest {
    private static final int PAGE_BYTES = 512;

    private final FileTable files = new FileTable(
            new PoolOptions(
                    "",
                    1,
                    1,
                    true,
                    Duration.ofMinutes(2),
                    "",
                    IllegalStateException::new,
                    Duration.ofMinutes(2),
                    LongWaitHandler.GIVE_UP::onLongWait),
            PAGE_BYTES);
    private final Store store = new Store();
    private PageFile file;

    /** Counts its forces. Calls back before a change and during a force. */
    private static final class Store implements PageStore {
        private final MemoryPageStore memory = new MemoryPageStore("forced", PAGE_BYTES);
        private int forces;
        private Step beforeChange = () -> {};
        private Step duringForce = () -> {};

        interface Step {
            void run() throws IOException;
        }

        private void change() throws IOException {
            Step step = beforeChange;
            beforeChange = () -> {};
            step.run();
        }

        @Override
        public String name() {
            return "forced";
        }

        @Override
        public int pageBytes() {
            return PAGE_BYTES;
        }

        @Override
        public long pages() {
            return memory.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            memory.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            change();
            memory.write(page, source);
        }

        @Override
        public void truncate(long pages) throws IOException {
            change();
            memory.truncate(pages);
        }

        @Override
        public boolean tryOwn() {
            return memory.tryOwn();
        }

        @Override
        public void force() throws IOException {
            forces++;
            Step step = duringForce;
            duringForce = () -> {};
            step.run();
        }

        @Override
        public void close() throws IOException {
            memory.close();
        }
    }

    /** A change of the store. */
    enum Change {
        WRITE {
            @Override
            void make(FileTable files) throws IOException {
                files.write(PageId.of(7, 0), ByteBuffer.allocate(PAGE_BYTES));
            }
        },
        BATCH {
            @Override
            void make(FileTable files) throws IOException {
                files.writeBatch(PageId.of(7, 0), new long[] {0, 2}, 0, 2, ByteBuffer.allocate(2 * PAGE_BYTES));
            }
        },
        EXTENSION {
            @Override
            void make(FileTable files) throws IOException {
                files.create(files.find(7), page -> {}); // the store has no page for it
            }
        },
        TRUNCATION {
            @Override
            void make(FileTable files) throws IOException {
                files.truncate(files.find(7), 1, (first, last, writes, onUsers) -> {});
            }
        };

        abstract void make(FileTable files) throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        store.memory.write(0, ByteBuffer.allocate(PAGE_BYTES));
        store.memory.write(1, ByteBuffer.allocate(PAGE_BYTES));
        store.memory.write(2, ByteBuffer.allocate(PAGE_BYTES));
        file = files.open(7, store);
        files.force();
        store.forces = 0;
    }

    @ParameterizedTest
    @EnumSource
    void fileIsForcedAfterAChange(Change change) throws IOException {
        files.force();
        assertThat(store.forces).as("forces without a change").isZero();
        change.make(files);
        files.force();
        files.force();
        assertThat(store.forces).as("forces after a change").isEqualTo(1);
        files.force(file);
        assertThat(store.forces).as("forces in any case").isEqualTo(2);
    }

    /** The force that comes first may not have the bytes yet. */
    @ParameterizedTest
    @EnumSource
    void changeAfterAForceCounts(Change change) throws IOException {
        store.beforeChange = files::force;
        change.make(files);
        int before = store.forces;
        files.force();
        assertThat(store.forces).as("forces after the end of the change").isEqualTo(before + 1);
    }

    @ParameterizedTest
    @EnumSource
    void changeDuringAForceCounts(Change change) throws IOException {
        Change.WRITE.make(files);
        store.duringForce = () -> change.make(files);
        files.force();
        files.force();
        assertThat(store.forces).as("forces after a change during the first").isEqualTo(2);
    }

    @Test
    void changeWhoseForceFailsIsForcedAgain() throws IOException {
        Change.WRITE.make(files);
        store.duringForce = () -> {
            throw new IOException("injected");
        };
        assertThatThrownBy(files::force).hasMessage("injected");
        assertThatCode(files::force).as("a force after one that has failed").doesNotThrowAnyException();
        assertThat(store.forces).as("forces after one that has failed").isEqualTo(2);
    }

    @Test
    void fileIsForcedForTheLastTimeWhenItIsClosed() throws IOException {
        Change.WRITE.make(files);
        files.remove(file, Removal.CLOSE, (first, last, writes, onUsers) -> {});
        assertThat(store.forces).as("forces by the close").isEqualTo(1);
        files.force(file);
        assertThat(store.forces).as("forces after the close").isEqualTo(1);
    }
}
