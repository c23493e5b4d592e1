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

/** The contract of a store, with checksums over memory and over a file, in a header, a trailer, and in between. */
@ParameterizedClass
@CsvSource({"true, 4", "true, 4092", "false, 0", "false, 2001"})
class ChecksummedPageStoreTest extends PageStoreContract {
    @Parameter(0)
    private boolean inMemory;

    @Parameter(1)
    private int offset;

    @TempDir
    private Path folder;

    @Override
    protected int stepsOfAThread() {
        return Tier.pick(50, 300, 10_000);
    }

    @Override
    protected PageStore open() throws IOException {
        PageStore pages = inMemory
                ? new MemoryPageStore("memory", pageBytes())
                : FilePageStore.open(folder.resolve("pages.db"), pageBytes(), FileOption.CREATE);
        return new ChecksummedPageStore(pages, 7, offset);
    }

    @Override
    protected boolean isPersistent() {
        return !inMemory;
    }

    @Override
    protected boolean isOwnByte(int at) {
        return at >= offset && at < offset + ChecksummedPageStore.CHECKSUM_BYTES;
    }

    @Override
    protected boolean showsPagesNeverWritten() {
        return false;
    }
}
