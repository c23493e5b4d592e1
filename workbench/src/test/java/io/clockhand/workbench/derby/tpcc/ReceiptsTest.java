// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.derby.tpcc.Inputs.Seats;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptsTest {
    private final List<String> reported = new ArrayList<>();
    private TestDatabase database;

    /** All five kinds of transactions, several times. */
    @BeforeEach
    void work() throws SQLException {
        database = TestDatabase.loaded();
        assertThat(contradictions(0)).isEmpty();
        Inputs inputs = new Inputs(new Draw(5), Bounds.of(TestDatabase.SCALE, 5));
        try (Session session = new Session(database.dataSource())) {
            for (Kind kind : Kind.values()) {
                for (int i = 0; i < 5; i++) {
                    Transaction transaction = inputs.next(kind, new Seats.Seat(1 + i % 2, 1));
                    assertThat(session.run(transaction).end()).isEqualTo(Session.End.COMMITTED);
                    reported.addAll(Receipts.of(transaction));
                }
            }
        }
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private List<String> contradictions(int unreported) throws SQLException {
        return Receipts.read(database.dataSource(), TestDatabase.SCALE).contradictions(reported, unreported);
    }

    @Test
    void everyKindOfWriteHasItsReceipt() throws SQLException {
        assertThat(reported)
                .allMatch(Receipts::isReceipt)
                .anyMatch(line -> line.startsWith("order "))
                .anyMatch(line -> line.startsWith("payment "))
                .anyMatch(line -> line.startsWith("delivery "));
        assertThat(contradictions(0)).isEmpty();
    }

    @Test
    void lostOrderIsNoticed() throws SQLException {
        loseAndNotice("DELETE FROM orders WHERE o_id > 30");
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM history WHERE h_amount <> 10",
                "UPDATE orders SET o_carrier_id = NULL WHERE o_id >= 22",
                "UPDATE orders SET o_c_id = o_c_id + 1 WHERE o_id > 30"
            })
    void lostWriteIsNoticed(String loss) throws SQLException {
        loseAndNotice(loss);
    }

    private void loseAndNotice(String loss) throws SQLException {
        database.execute(loss);

        assertThat(contradictions(0)).isNotEmpty().allMatch(what -> what.startsWith("was committed, but is lost: "));
    }

    @Test
    void writesBeyondThoseThatWereUnderWayAreNoticed() throws SQLException {
        reported.removeIf(line -> line.startsWith("payment "));

        assertThat(contradictions(5)).isEmpty();
        assertThat(contradictions(4)).singleElement().asString().contains("rows for payment are more than the ");
    }
}
