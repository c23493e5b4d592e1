// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.Pools;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool that a shutdown hook closes while daemon threads use it has every update that has ended in its file. */
class ShutdownTest {
    private static final Pattern PAGE = Pattern.compile("page (\\d+) has (\\d+)");

    @TempDir
    private Path folder;

    @Test
    void hookClosesThePoolBesideBusyThreads() throws Exception {
        Path path = folder.resolve("pages.db");
        String output = ChildJvm.run(List.of(
                "-cp", System.getProperty("java.class.path"), ShutdownProgram.class.getName(), path.toString()));

        assertThat(output).contains("closed");
        Matcher pages = PAGE.matcher(output);
        try (BufferPool pool = Pools.builder().pageBytes(512).build()) {
            PagedFile file = pool.open(1, path);
            for (int i = 0; i < ShutdownProgram.PAGES; i++) {
                assertThat(pages.find()).as(output).isTrue();
                try (PageGuard page = pool.fix(file.id(Integer.parseInt(pages.group(1))))) {
                    assertThat(page.getLong(0))
                            .as("page %s in the file", pages.group(1))
                            .isGreaterThanOrEqualTo(Long.parseLong(pages.group(2)));
                }
            }
        }
    }
}
