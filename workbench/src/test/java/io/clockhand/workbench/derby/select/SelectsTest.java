// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.workbench.derby.select.Selects.Keys;
import io.clockhand.workbench.derby.select.Selects.Selector;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.derby.jdbc.EmbeddedDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelectsTest {
    private static final Rows ROWS = new Rows(2500, 5);
    private static final Rows SMALL = new Rows(1000, 1);

    private final EmbeddedDataSource database = new EmbeddedDataSource();
    private final List<Double> progress = new ArrayList<>();

    private void load() throws SQLException {
        database.setDatabaseName("memory:select");
        database.setCreateDatabase("create");
        ROWS.load(database, progress::add);
    }

    private void drop() {
        database.setCreateDatabase(null);
        database.setConnectionAttributes("drop=true");
        try {
            database.getConnection().close();
        } catch (SQLException e) {
            // this is how Derby reports success
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    @Test
    void loadedRowsAreFoundAndRightAndMissingAndWrongOnesAreCounted() throws SQLException {
        load();
        try (Selector selector = new Selector(database, ROWS)) {
            for (int key = 1; key <= ROWS.count(); key++) {
                selector.select(key);
            }

            assertThat(selector.wrongRows).isZero();
            assertThat(selector.firstWrong).isNull();
        }
        assertThat(progress).containsExactly(0.4, 0.8, 1.0);

        execute("DELETE FROM selected WHERE id = 7");
        execute("UPDATE selected SET content = X'00' WHERE id = 9");
        execute("UPDATE selected SET content = (SELECT content FROM selected WHERE id = 12) WHERE id = 11");
        try (Selector selector = new Selector(database, ROWS)) {
            for (int key = 1; key <= 20; key++) {
                selector.select(key);
            }

            assertThat(selector.wrongRows).isEqualTo(3);
            assertThat(selector.firstWrong).isEqualTo("row 7 was not found");
        }
        drop();
    }

    @Test
    void everyRowHasItsOwnContent() {
        Set<ByteBuffer> contents = new HashSet<>();
        for (int key = 1; key <= SMALL.count(); key++) {
            byte[] content = SMALL.content(key);
            assertThat(SMALL.isContent(key, content)).isTrue();
            assertThat(SMALL.isContent(key + 1, content)).isFalse();
            contents.add(ByteBuffer.wrap(content));
        }
        assertThat(contents).hasSize(SMALL.count());
        assertThat(new Rows(1000, 2).isContent(1, SMALL.content(1))).isFalse();
    }

    @Test
    void noChangedByteGoesUnseen() {
        for (int at = 0; at < Rows.CONTENT_BYTES; at++) {
            byte[] content = SMALL.content(7);
            content[at]++;
            assertThat(SMALL.isContent(7, content)).as("byte %d", at).isFalse();
        }
        assertThat(SMALL.isContent(7, Arrays.copyOf(SMALL.content(7), Rows.CONTENT_BYTES - 1)))
                .isFalse();
    }

    private static final int DRAWS = 100_000;

    private static double shareOfFirstFifth(Keys keys) {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, DRAWS)
                        .filter(i -> keys.next(random, 1000) <= 200)
                        .count()
                / (double) DRAWS;
    }

    @Test
    void fourInFiveGoToTheFirstFifthIfAskedFor() {
        assertThat(shareOfFirstFifth(Keys.UNIFORM)).isCloseTo(0.2, within(0.01));
        assertThat(shareOfFirstFifth(Keys.EIGHTY_TWENTY)).isCloseTo(0.8, within(0.01));
    }

    @ParameterizedTest
    @EnumSource
    void firstAndLastRowAreDrawnAndNothingBeyond(Keys keys) {
        SplittableRandom random = new SplittableRandom(1);
        int[] drawn = IntStream.range(0, 10_000)
                .map(i -> keys.next(random, 100))
                .distinct()
                .sorted()
                .toArray();
        assertThat(drawn).containsExactly(IntStream.rangeClosed(1, 100).toArray());
        assertThat(keys.next(random, 1)).isEqualTo(1);
    }
}
