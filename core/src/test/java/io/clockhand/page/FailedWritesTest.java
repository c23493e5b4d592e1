// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stores that cannot write, truncate or be closed: the exceptions, and the file and the pool after them. */
class FailedWritesTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    @Test
    void pageThatCannotBeWrittenIsNotThere() throws IOException {
        StampedStore store = new StampedStore(10);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> file.create())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page 10 of stamped");
            assertThat(file.pages()).isEqualTo(10).isEqualTo(store.pages());
            assertThatThrownBy(() -> pool.fix(file.id(10))).isInstanceOf(NoSuchPageException.class);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            try (WritablePage created = file.create()) {
                assertThat(PageId.page(created.id())).isEqualTo(10);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void pageIsThereOnlyWhenItWasWritten() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> creator = workers.run(() -> file.create().close());
            gate.awaitReached();
            assertThat(file.pages()).isEqualTo(10);
            assertThatThrownBy(() -> pool.fix(file.id(10))).isInstanceOf(NoSuchPageException.class);
            gate.open();
            creator.result();
            try (PageGuard created = pool.fix(file.id(10))) {
                assertThat(created.getLong(0)).isZero();
            }
        }
    }

    @Test
    void storeThatThrowsTheSameExceptionTwiceIsReportedWithIt() throws IOException {
        IOException shared = new IOException("injected");
        StampedStore store = new StampedStore(10);
        store.beforeWrite(page -> {
            throw shared;
        });
        store.beforeTruncate(pages -> {
            throw shared;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(file::create).isSameAs(shared);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            store.beforeTruncate(pages -> StampedStore.Outcome.GOOD);
            try (WritablePage created = file.create()) {
                assertThat(PageId.page(created.id())).isEqualTo(10);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void closeOfAPoolClosesEveryStoreThoughSomeThrowTheSameException() throws IOException {
        for (Throwable shared : List.of(new IOException("injected"), new OutOfMemoryError("injected"))) {
            List<StampedStore> stores = new ArrayList<>();
            BufferPool pool = small().build();
            for (int number = 0; number < 4; number++) {
                stores.add(number < 3 ? new ThrowingAtClose(shared) : new StampedStore(1));
                pool.open(number, stores.get(number));
            }
            assertThatThrownBy(pool::close).isSameAs(shared);
            assertThat(stores).allMatch(StampedStore::isClosed);
        }
    }

    private static final class ThrowingAtClose extends StampedStore {
        private final Throwable failure;

        ThrowingAtClose(Throwable failure) {
            super(1);
            this.failure = failure;
        }

        @Override
        public void close() throws IOException {
            super.close();
            if (failure instanceof Error error) {
                throw error;
            }
            throw (IOException) failure;
        }
    }
}
