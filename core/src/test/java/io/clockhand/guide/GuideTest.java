// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the guide for engine authors does what the guide says, and is the one that is printed there. */
class GuideTest {
    @TempDir
    private Path folder;

    @Test
    void programFindsNumbersByKey() throws IOException {
        Path path = folder.resolve("numbers.db");
        SortedFile.write(
                path, LongStream.rangeClosed(1, 100_000).map(i -> 3 * i).toArray());
        try (BufferPool pool = BufferPool.builder().pageBytes(4096).frames(20).build()) {
            SortedFile numbers = new SortedFile(pool, path);
            for (long number = 3; number < 300_000; number += 997) {
                assertThat(numbers.contains(number)).as("%d", number).isEqualTo(number % 3 == 0);
            }
            try (OptimisticPage index = pool.newOptimisticPage();
                    OptimisticPage page = pool.newOptimisticPage()) {
                for (long number = 3; number < 300_000; number += 997) {
                    assertThat(numbers.contains(number, index, page))
                            .as("%d", number)
                            .isEqualTo(number % 3 == 0);
                }
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void programIsTheOneInTheGuide() throws IOException {
        Path root = root();
        String source = Files.readString(root.resolve("core/src/test/java/io/clockhand/guide/SortedFile.java"));
        String program = source.substring(source.indexOf("/** Up to 262"));

        assertThat(Files.readString(root.resolve("src/docs/guide.md"))).contains(program);
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("src/docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
