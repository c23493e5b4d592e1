// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.RunFiles.PageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageFileTest {
    private static final int PAGE_BYTES = 512;

    @TempDir
    private Path directory;

    private Path make(PageFile layout) {
        try (CleanUp cleanUp = new CleanUp()) {
            return layout.in(directory, cleanUp);
        }
    }

    private static ByteBuffer page(Path file, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(channel.read(bytes, page * PAGE_BYTES)).isEqualTo(PAGE_BYTES);
        }
        return bytes.flip();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 80})
    void everyKeyHasAPageWithItsOwnNumberAndTheOthersAreHoles(int spread) throws IOException {
        int keys = 3_000;
        Path file = make(new PageFile(PAGE_BYTES, keys, spread, (long) keys * spread));

        assertThat(Files.size(file)).isEqualTo(((long) keys * spread + 1) * PAGE_BYTES);
        for (long key = 0; key < keys; key += 83) {
            ByteBuffer page = page(file, key * spread);
            assertThat(page.getLong(0)).isEqualTo(PageContent.of(key * spread));
            assertThat(page.getLong(PAGE_BYTES - Long.BYTES)).isEqualTo(PageContent.of(key * spread));
        }
        if (spread > 1) {
            assertThat(page(file, 1)).isEqualTo(ByteBuffer.allocate(PAGE_BYTES));
        }
    }

    @Test
    void fileThatFitsIsUsedAgain() throws IOException {
        PageFile layout = new PageFile(PAGE_BYTES, 10, 1, 10);
        Path file = make(layout);
        FileTime long_ago = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(file, long_ago);

        assertThat(make(layout)).isEqualTo(file);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(long_ago);
        assertThat(directory).isDirectoryNotContaining("glob:**/*.part");
    }

    @Test
    void fileOfAnotherLengthOrStampIsRefused() throws IOException {
        PageFile layout = new PageFile(PAGE_BYTES, 10, 1, 10);
        Path file = make(layout);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 10 * PAGE_BYTES);
        }
        assertThatThrownBy(() -> make(layout)).hasMessageContaining("delete it and run again");

        Files.write(file, new byte[3]);
        assertThatThrownBy(() -> make(layout)).hasMessageContaining("delete it and run again");
        assertThat(Files.size(file)).isEqualTo(3);
    }

    @Test
    void everyLayoutHasANameOfItsOwn() {
        assertThat(new PageFile(4096, 50_000, 80, 3_999_921).name())
                .isEqualTo("replay-50000-keys-spread-80-on-3999921-pages-of-4096-bytes.data");
    }
}
