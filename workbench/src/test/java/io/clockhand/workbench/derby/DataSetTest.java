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
    private static DataSet.Content content(int warehouses) {
        return new DataSet.Content("tpcc-w" + warehouses, Scale.standard(warehouses, 1), 1);
    }

    @TempDir
    private Path data;

    private DataSet lock() {
        return DataSet.lock(data, content(2), "10.16.1.1");
    }

    @Test
    void emptyDirectoryIsNotLoaded() {
        try (DataSet dataSet = lock()) {
            assertThat(dataSet.isLoaded()).isFalse();
        }
    }

    @Test
    void loadedDataAreFoundAgain() throws IOException {
        try (DataSet dataSet = lock()) {
            Files.createDirectories(dataSet.database());
            dataSet.markLoaded(123);
        }
        try (DataSet dataSet = lock()) {
            assertThat(dataSet.isLoaded()).isTrue();
            assertThat(dataSet.readMarker().allocatedPages()).isEqualTo(123);
        }
    }

    @Test
    void halfLoadedDataAreRefused() throws IOException {
        try (DataSet dataSet = lock()) {
            Files.createDirectories(dataSet.database());

            assertThatThrownBy(dataSet::isLoaded)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("half-loaded")
                    .hasMessageContaining(dataSet.directory().toString());
        }
    }

    @Test
    void dataOfAnotherScaleAreRefused() throws IOException {
        Path other;
        try (DataSet dataSet = DataSet.lock(data, content(5), "10.16.1.1")) {
            Files.createDirectories(dataSet.database());
            dataSet.markLoaded(123);
            other = dataSet.directory();
        }
        Files.move(other, other.resolveSibling(lockedDirectoryName()));
        try (DataSet dataSet = lock()) {
            assertThatThrownBy(dataSet::isLoaded)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("another scale (5 warehouses");
        }
    }

    private String lockedDirectoryName() {
        return "tpcc-w2-derby10.16-4k-seed1";
    }

    @Test
    void dataInUseAreRefused() {
        try (DataSet dataSet = lock()) {
            assertThat(dataSet.directory()).exists();
            assertThatThrownBy(this::lock)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("in use by another workbench");
        }
    }

    @Test
    void copyThatWasLeftBehindIsRemoved() throws IOException {
        Path left;
        try (DataSet dataSet = lock()) {
            left = dataSet.runDirectory();
            Files.createDirectories(left.resolve("database"));
            Files.writeString(left.resolve("database").resolve("page"), "x");
        }
        try (DataSet dataSet = lock()) {
            assertThat(dataSet.directory()).exists();
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void everyDerbyHasDataOfItsOwn() {
        try (DataSet older = lock();
                DataSet newer = DataSet.lock(data, content(2), "10.17.1.0")) {
            assertThat(older.directory()).isNotEqualTo(newer.directory());
        }
    }
}
