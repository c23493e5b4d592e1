// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.EncryptedPageStore;
import io.clockhand.io.EncryptionKeys;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool over an encrypted file. */
class EncryptedFileTest {
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES = 100;

    @TempDir
    private Path folder;

    private PageStore store() throws IOException {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 9);
        EncryptionKeys keys = EncryptionKeys.of("pool", new SecretKeySpec(bytes, "AES"));
        PageStore file = FilePageStore.open(folder.resolve("pool.db"), PAGE_BYTES, FileOption.CREATE);
        return file.pages() == 0 ? EncryptedPageStore.create(file, keys) : EncryptedPageStore.open(file, keys);
    }

    private static BufferPoolBuilder pool() {
        return Pools.builder().pageBytes(PAGE_BYTES).frames(16);
    }

    private static void put(WritablePage page, long lsn, long value) {
        page.beginRedo(lsn);
        page.putLong(16, value);
        page.putLong(PAGE_BYTES - EncryptedPageStore.OWN_BYTES - Long.BYTES, -value);
        page.endUpdate(lsn);
    }

    private static void expect(PageView page, long value) {
        assertThat(page.getLong(16)).isEqualTo(value);
        assertThat(page.getLong(PAGE_BYTES - EncryptedPageStore.OWN_BYTES - Long.BYTES))
                .isEqualTo(-value);
    }

    @Test
    void pagesAreReadByTheNextPool() throws IOException {
        try (BufferPool pool = pool().build()) {
            PagedFile file = pool.open(3, store());
            for (int page = 0; page < PAGES; page++) {
                try (WritablePage created = file.create()) {
                    put(created, 1 + page, 10 + page);
                }
            }
            pool.flush();
            for (int page = 0; page < PAGES; page += 3) {
                try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                    expect(changed, 10 + page);
                    put(changed, 1000 + page, 20 + page);
                }
            }
            file.setLengthBytes((PAGES - 1) * PAGE_BYTES + 100);
            pool.checkIntegrity();
        }
        try (BufferPool pool = pool().build()) {
            PagedFile file = pool.open(3, store());
            assertThat(file.pages()).isEqualTo(PAGES);
            assertThat(file.lengthBytes()).isEqualTo((PAGES - 1) * PAGE_BYTES + 100);
            for (int page = 0; page < PAGES - 1; page++) {
                try (PageGuard guard = pool.fix(file.id(page))) {
                    expect(guard, page % 3 == 0 ? 20 + page : 10 + page);
                }
            }
            try (PageGuard last = pool.fix(file.id(PAGES - 1))) {
                assertThat(last.getLong(16)).isNotZero();
                assertThat(last.getLong(104)).isZero();
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void creationIsRepeatedAfterACrashThatCameBeforeThePageWasWritten() throws IOException {
        BufferPool crashing = pool().tuning(t -> t.flushThreads(0)).build();
        PagedFile lost = crashing.open(0, store());
        lost.create().close();
        lost.create().close();
        crashing.closeWithoutWriting();
        try (BufferPool pool = pool().build()) {
            PagedFile file = pool.open(0, store());
            assertThat(file.pages()).isGreaterThanOrEqualTo(2);
            assertThatThrownBy(() -> pool.fix(file.id(1)))
                    .isInstanceOfSatisfying(
                            PageCorruptException.class,
                            e -> assertThat(e.isZero()).isTrue());
            try (WritablePage page = file.redoCreation(10, 1)) {
                put(page, 10, 3);
            }
            try (WritablePage page = file.redoCreation(10, 1)) {
                expect(page, 3);
            }
            pool.flush();
            pool.checkIntegrity();
        }
        try (BufferPool pool = pool().build()) {
            PagedFile file = pool.open(0, store());
            try (PageGuard page = pool.fix(file.id(1))) {
                expect(page, 3);
            }
            assertThatThrownBy(() -> pool.fix(file.id(0))).isInstanceOf(PageCorruptException.class);
        }
    }

    @Test
    void lsnAmongTheBytesOfTheStoreIsRefused() throws IOException {
        try (BufferPool pool = pool().lsnOffset(PAGE_BYTES - 16).build();
                PageStore store = store()) {
            assertThatThrownBy(() -> pool.open(0, store))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the nonce and tag of encryption");
        }
    }
}
