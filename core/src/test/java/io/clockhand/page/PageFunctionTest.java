// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions that read a page until they have read it right. */
@Tag("both-tables")
class PageFunctionTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final BufferPool pool = Pools.builder()
            .pageBytes(StampedStore.PAGE_BYTES)
            .frames(4)
            .detectLeaks(true)
            .build();
    private PagedFile file;
    private int calls;

    @BeforeEach
    void openFile() throws IOException {
        file = pool.open(0, new StampedStore(20));
    }

    @AfterEach
    void poolIsWhole() throws IOException {
        assertThat(pool.pins()).as("pins that a function has left").isEmpty();
        pool.checkIntegrity();
        pool.close();
    }

    @Test
    void resultIsTheFunctions() throws IOException {
        for (int i = 0; i < 10; i++) {
            int page = i % 6;
            assertThat(pool.<Boolean, IOException>read(file.id(page), read -> StampedStore.isRight(read, page)))
                    .isTrue();
        }
    }

    @Test
    void absentPageIsNamed() {
        assertThatThrownBy(() -> pool.read(file.id(20), PageView::id)).isInstanceOf(NoSuchPageException.class);
    }

    /** Changes the page while it is read, so that the read is not right. */
    private void disturb(long id) throws IOException {
        pool.fixExclusive(id).close();
    }

    @Test
    void functionIsCalledAgainWhenThePageHasChangedMeanwhile() throws IOException {
        long id = file.id(3);
        pool.fix(id).close();
        int result = pool.<Integer, IOException>read(id, page -> {
            if (calls++ < 2) {
                disturb(id);
            }
            return calls;
        });
        assertThat(result).isEqualTo(3);
    }

    @Test
    void functionIsCalledUnderALatchWhenThePageChangesAgainAndAgain() throws IOException {
        long id = file.id(3);
        pool.fix(id).close();
        int result = pool.<Integer, IOException>read(id, page -> {
            if (calls++ < OptimisticPage.TRIES) {
                assertThat(pool.pins()).isEmpty();
                disturb(id);
            } else {
                assertThat(pool.pins()).hasSize(1);
            }
            return calls;
        });
        assertThat(result).isEqualTo(OptimisticPage.TRIES + 1);
    }

    @Test
    void exceptionAboutAPageThatHasChangedMeanwhileDoesNotCount() throws IOException {
        long id = file.id(3);
        pool.fix(id).close();
        assertThatCode(() -> pool.read(id, page -> {
                    switch (calls++) {
                        case 0 -> {
                            disturb(id);
                            throw new IOException("torn");
                        }
                        case 1 -> {
                            disturb(id);
                            page.getLong(-1);
                        }
                        default -> {}
                    }
                    return calls;
                }))
                .as("a function that fails while the page changes")
                .doesNotThrowAnyException();
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void exceptionAboutARightPageIsThrown() throws IOException {
        long id = file.id(3);
        for (int i = 0; i < 2; i++) { // absent, so it is latched; and then not
            IOException damaged = new IOException("damaged");
            assertThatThrownBy(() -> pool.read(id, page -> {
                        throw damaged;
                    }))
                    .isSameAs(damaged);
            assertThatThrownBy(() -> pool.read(id, page -> page.getLong(StampedStore.PAGE_BYTES)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void errorLeavesNoLatch() {
        AssertionError error = new AssertionError("injected");
        assertThatThrownBy(() -> pool.read(file.id(3), page -> {
                    assertThat(pool.pins()).hasSize(1);
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void functionsReadOtherPages() throws IOException {
        long sum = pool.<Long, IOException>read(
                file.id(1),
                first -> first.getLong(0) + pool.<Long, IOException>read(file.id(2), second -> second.getLong(0)));
        try (PageGuard first = pool.fix(file.id(1));
                PageGuard second = pool.fix(file.id(2))) {
            assertThat(sum).isEqualTo(first.getLong(0) + second.getLong(0));
        }
    }

    @Test
    void readerReadsOnAfterAFunction() throws IOException {
        try (OptimisticPage reader = pool.newOptimisticPage()) {
            assertThat(reader.<Boolean, IOException>read(file.id(1), page -> StampedStore.isRight(page, 1)))
                    .isTrue();
            assertThat(pool.pins()).isEmpty();
            assertThat(StampedStore.isRight(reader, 1)).isTrue();
            assertThat(reader.validate()).isTrue();
        }
    }

    @Test
    void threadsReadBesideWritersAndEvictions() {
        int reads = Tier.pick(2_000, 20_000, 500_000);
        List<Worker<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(i);
            readers.add(workers.run(() -> {
                for (int k = 0; k < reads; k++) {
                    int page = random.nextInt(8);
                    if (random.nextInt(8) == 0) {
                        disturb(file.id(page));
                    } else if (!pool.<Boolean, IOException>read(file.id(page), p -> StampedStore.isRight(p, page))) {
                        throw new AssertionError("page " + page + " is wrong");
                    }
                }
            }));
        }
        readers.forEach(Worker::result);
    }
}
