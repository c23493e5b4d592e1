// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import io.clockhand.cache.KeyTableKind;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageTableKind;
import io.clockhand.page.PagedFile;
import java.io.IOException;

/** Looks pages and keys up in tables of the named kinds, and prints what came of it. */
final class TwoTables {
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 3;
    private static final int PAGES = 10;

    private TwoTables() {}

    public static void main(String[] tables) throws IOException {
        for (String table : tables) {
            try {
                System.out.println(table + ": " + pages(PageTableKind.valueOf(table)) + " pages");
            } catch (IllegalStateException e) {
                System.out.println(table + " pages: " + e.getMessage());
            }
            try {
                System.out.println(table + ": " + keys(KeyTableKind.valueOf(table)) + " keys");
            } catch (IllegalStateException e) {
                System.out.println(table + " keys: " + e.getMessage());
            }
        }
    }

    private static int pages(PageTableKind table) throws IOException {
        int read = 0;
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.table(table))
                .build()) {
            PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
            for (int page = 0; page < PAGES; page++) {
                file.create().close();
            }
            for (int page = 0; page < PAGES; page++) {
                try (PageGuard guard = pool.fix(file.id(page))) {
                    read += guard.getLong(0) == 0 ? 1 : 0;
                }
            }
            pool.checkIntegrity();
        }
        return read;
    }

    private static int keys(KeyTableKind table) {
        HolderCache<String, Name, RuntimeException> cache = HolderCache.builder(new Names())
                .frames(FRAMES)
                .tuning(t -> t.table(table))
                .build();
        int found = 0;
        for (int round = 0; round < 2; round++) {
            for (int number = 0; number < PAGES / 2; number++) {
                String key = "name " + number;
                Name name = cache.find(key);
                found += key.equals(name.key) ? 1 : 0;
                cache.release(name);
            }
        }
        cache.checkIntegrity();
        return found;
    }

    private static final class Name {
        private String key;
    }

    private static final class Names implements HolderLifecycle<String, Name, RuntimeException> {
        @Override
        public Name allocate() {
            return new Name();
        }

        @Override
        public Name load(Name holder, String key) {
            holder.key = key;
            return holder;
        }

        @Override
        public Name create(Name holder, String key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public String keyOf(Name holder) {
            return holder.key;
        }

        @Override
        public boolean isDirty(Name holder) {
            return false;
        }

        @Override
        public void clean(Name holder, boolean removing) {}

        @Override
        public void clear(Name holder) {
            holder.key = null;
        }
    }
}
