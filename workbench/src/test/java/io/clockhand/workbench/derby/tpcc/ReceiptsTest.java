// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiptsTest {
    private final List<String> reported = new ArrayList<>();

    private List<String> contradictions(TestDatabase database, int unreported) throws SQLException {
        return Receipts.read(database.dataSource(), TestDatabase.SCALE).contradictions(reported, unreported);
    }

    /** All five kinds of transactions, several times; then each kind of write is lost in turn. */
    @Test
    void lostAndUnreportedWritesAreNoticed() throws Exception {
        try (TestDatabase database = TestDatabase.undoable()) {
            Session session = new Session(database.dataSource());
            assertThat(contradictions(database, 0)).isEmpty();
            Inputs inputs = new Inputs(TestDatabase.SCALE, 5, 0, 1);
            for (Kind kind : Kind.values()) {
                for (int i = 0; i < 5; i++) {
                    Transaction transaction = inputs.next(kind, new Inputs.Seat(1 + i % 2, 1));
                    assertThat(session.run(transaction)).isEqualTo(Session.End.COMMITTED);
                    reported.addAll(Receipts.of(transaction));
                }
            }
            assertThat(contradictions(database, 0)).isEmpty();

            for (String loss : List.of(
                    "DELETE FROM orders WHERE o_id > 30",
                    "UPDATE orders SET o_c_id = o_c_id + 1 WHERE o_id > 30",
                    "UPDATE orders SET o_carrier_id = NULL WHERE o_id >= 22",
                    "DELETE FROM history WHERE h_amount <> 10")) {
                database.execute(loss);
                assertThat(contradictions(database, 0))
                        .as(loss)
                        .isNotEmpty()
                        .allMatch(what -> what.startsWith("was committed, but is lost: "));
                session.close(); // takes the loss back
            }

            reported.removeIf(line -> line.startsWith("payment "));
            assertThat(contradictions(database, 5)).isEmpty();
            assertThat(contradictions(database, 4)).containsExactly("has more rows for payment than can be committed");
        }
    }
}
