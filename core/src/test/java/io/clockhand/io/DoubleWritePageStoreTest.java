// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.PageStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of a store, with a journal: a small one that is often cleared, and one that is never full. */
@ParameterizedClass
@CsvSource({"true, 3", "true, 1000", "false, 5", "false, 100"})
class DoubleWritePageStoreTest extends PageStoreContract {
    @Parameter(0)
    private boolean inMemory;

    @Parameter(1)
    private int journalPages;

    @TempDir
    private Path folder;

    @Override
    protected int stepsOfAThread() {
        return Tier.pick(50, 300, 10_000);
    }

    @Override
    protected PageStore open() throws IOException {
        return DoubleWritePageStore.open(store("pages.db"), store("pages.journal"), journalPages);
    }

    private PageStore store(String name) throws IOException {
        return inMemory
                ? new MemoryPageStore(name, pageBytes())
                : FilePageStore.open(folder.resolve(name), pageBytes(), FileOption.CREATE);
    }

    @Override
    protected boolean isPersistent() {
        return !inMemory;
    }
}
