// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetTest {
    @TempDir
    private Path data;

    private DataSet lock(String derby) {
        return DataSet.lock(data, Scale.standard(2, 1), derby);
    }

    @Test
    void loadedDataAreFoundAgainByTheSameDerbyAndCopiesLeftBehindAreRemoved() throws IOException {
        Path left;
        try (DataSet dataSet = lock("10.16.1.1")) {
            assertThat(dataSet.allocatedPages()).isZero();
            Files.createDirectories(dataSet.database());
            dataSet.markLoaded(123);
            left = Files.createDirectories(dataSet.runDirectory().resolve("database"));
        }

        try (DataSet same = lock("10.16.1.2");
                DataSet newer = lock("10.17.1.0")) {
            assertThat(same.allocatedPages()).isEqualTo(123);
            assertThat(newer.allocatedPages()).isZero();
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void halfLoadedDataAreRefused() throws IOException {
        try (DataSet dataSet = lock("10.16.1.1")) {
            Files.createDirectories(dataSet.database());

            assertThatThrownBy(dataSet::allocatedPages)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("half-loaded")
                    .hasMessageContaining(dataSet.directory().toString());
        }
    }

    @Test
    void dataInUseAreRefused() {
        try (DataSet dataSet = lock("10.16.1.1")) {
            assertThat(dataSet.directory()).exists();
            assertThatThrownBy(() -> lock("10.16.1.1"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("in use by another workbench");
        }
    }
}
