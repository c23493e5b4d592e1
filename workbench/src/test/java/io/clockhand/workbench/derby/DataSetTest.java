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

    private DataSet lock(int warehouses) {
        return DataSet.lock(data, Scale.standard(warehouses, 1), "10.16.1.1");
    }

    private Path loaded(int warehouses) throws IOException {
        try (DataSet dataSet = lock(warehouses)) {
            assertThat(dataSet.allocatedPages()).isZero();
            Files.createDirectories(dataSet.database());
            dataSet.markLoaded(123);
            return dataSet.directory();
        }
    }

    @Test
    void loadedDataAreFoundAgainByTheSameDerby() throws IOException {
        loaded(2);
        try (DataSet dataSet = lock(2);
                DataSet newer = DataSet.lock(data, Scale.standard(2, 1), "10.17.1.0")) {
            assertThat(dataSet.allocatedPages()).isEqualTo(123);
            assertThat(newer.allocatedPages()).isZero();
        }
    }

    @Test
    void halfLoadedDataAreRefused() throws IOException {
        try (DataSet dataSet = lock(2)) {
            Files.createDirectories(dataSet.database());

            assertThatThrownBy(dataSet::allocatedPages)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("half-loaded")
                    .hasMessageContaining(dataSet.directory().toString());
        }
    }

    @Test
    void dataOfAnotherScaleAreRefused() throws IOException {
        Path other = loaded(5);
        Files.move(other, other.resolveSibling("tpcc-w2-derby10.16-4k-seed1"));
        try (DataSet dataSet = lock(2)) {
            assertThatThrownBy(dataSet::allocatedPages)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("another scale (5 warehouses");
        }
    }

    @Test
    void dataInUseAreRefused() {
        try (DataSet dataSet = lock(2)) {
            assertThat(dataSet.directory()).exists();
            assertThatThrownBy(() -> lock(2))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("in use by another workbench");
        }
    }

    @Test
    void copyThatWasLeftBehindIsRemoved() throws IOException {
        Path left;
        try (DataSet dataSet = lock(2)) {
            left = dataSet.runDirectory();
            Files.createDirectories(left.resolve("database"));
            Files.writeString(left.resolve("database").resolve("page"), "x");
        }
        try (DataSet dataSet = lock(2)) {
            assertThat(dataSet.directory()).exists();
            assertThat(left).doesNotExist();
        }
    }
}
