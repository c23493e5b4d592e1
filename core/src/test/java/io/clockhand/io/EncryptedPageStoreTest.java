// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Tier;
import io.clockhand.testkit.PageStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a store, encrypted over memory, over a file with and without direct I/O, and over a journal. */
@ParameterizedClass
@EnumSource(EncryptedPageStoreTest.Below.class)
class EncryptedPageStoreTest extends PageStoreContract {
    /** The store below. */
    enum Below {
        MEMORY,
        FILE,
        DIRECT_FILE,
        JOURNAL
    }

    private static final EncryptionKeys KEYS = keys();

    @Parameter
    private Below below;

    @TempDir
    private Path folder;

    private static EncryptionKeys keys() {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 5);
        return EncryptionKeys.of("contract", new SecretKeySpec(bytes, "AES"));
    }

    @Override
    protected int stepsOfAThread() {
        return Tier.pick(50, 300, 10_000);
    }

    @Override
    protected PageStore open() throws IOException {
        PageStore pages = below();
        return pages.pages() == 0 ? EncryptedPageStore.create(pages, KEYS) : EncryptedPageStore.open(pages, KEYS);
    }

    private PageStore below() throws IOException {
        if (below == Below.DIRECT_FILE) {
            DirectFolder.assumePagesOf(pageBytes(), folder);
        }
        return switch (below) {
            case MEMORY -> new MemoryPageStore("memory", pageBytes());
            case FILE -> file("pages.db");
            case DIRECT_FILE -> file("pages.db", FileOption.DIRECT);
            case JOURNAL -> DoubleWritePageStore.open(file("pages.db"), file("pages.journal"));
        };
    }

    private PageStore file(String name, FileOption... more) throws IOException {
        FileOption[] options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = FileOption.CREATE;
        return FilePageStore.open(folder.resolve(name), pageBytes(), options);
    }

    @Override
    protected boolean isPersistent() {
        return below != Below.MEMORY;
    }

    @Override
    protected boolean isOwnByte(int at) {
        return at >= pageBytes() - EncryptedPageStore.OWN_BYTES;
    }

    @Override
    protected boolean showsPagesNeverWritten() {
        return false;
    }
}
