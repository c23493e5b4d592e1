// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LongWaitHandler;
import io.clockhand.PageId;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sparse table of files against a map. */
class NumberedFilesTest {
    private static final PoolOptions OPTIONS = new PoolOptions(
            "",
            1,
            1,
            true,
            Duration.ofMinutes(2),
            "",
            IllegalStateException::new,
            Duration.ofMinutes(2),
            LongWaitHandler.GIVE_UP::onLongWait);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final NumberedFiles files = new NumberedFiles();

    private static PageFile file(int number) throws IOException {
        return new PageFile(OPTIONS, number, new MemoryPageStore("m", 512), ByteBuffer.allocate(512), false);
    }

    private static void remove(PageFile file) throws IOException {
        file.remove(Removal.CLOSE, (first, last, writes, onUsers) -> {}, null);
    }

    @Test
    void filesAreFoundByNumberWhateverIsOpenedAndRemoved() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        Map<Integer, PageFile> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int number = random.nextBoolean() ? random.nextInt(64) << 14 : PageId.GREATEST_FILE - random.nextInt(2_000);
            PageFile present = expected.get(number);
            if (present == null) {
                PageFile added = file(number);
                files.put(added);
                expected.put(number, added);
            } else {
                remove(expected.remove(number));
            }
            PageFile found = files.get(number);
            assertThat(found.isGone()).isEqualTo(present != null);
            assertThat(found.number()).isEqualTo(number);
        }
        assertThat(files.present()).containsExactlyInAnyOrderElementsOf(expected.values());
        assertThat(files.present()).extracting(PageFile::number).isSorted();
        expected.forEach((number, file) -> assertThat(files.get(number)).isSameAs(file));
    }

    @Test
    void lookupsSeeEveryFileWhileOthersAreAdded() throws IOException {
        PageFile present = file(77);
        files.put(present);
        AtomicBoolean done = new AtomicBoolean();
        Workers.Worker<Boolean> reader = workers.start(() -> {
            boolean always = true;
            while (!done.get()) {
                always &= files.get(77) == present;
            }
            return always;
        });
        for (int number = 100; number < 5_000; number++) {
            PageFile added = file(number);
            files.put(added);
            if (number % 3 != 0) {
                remove(added);
            }
        }
        done.set(true);
        assertThat(reader.result()).isTrue();
    }
}
