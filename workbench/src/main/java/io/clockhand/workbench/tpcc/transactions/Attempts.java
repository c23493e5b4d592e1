// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.transactions;

import java.sql.SQLException;
import java.util.Set;

/** Runs a transaction to its end: again after a deadlock or a lock time-out, up to a limit. */
public final class Attempts {
    /** Deadlock, lock time-out, lock time-out with the lock table printed. */
    private static final Set<String> RETRYABLE = Set.of("40001", "40XL1", "40XL2");

    private static final int LIMIT = 10;

    /** How a transaction ended; a roll-back is the one that the input asked for. */
    public enum End {
        COMMITTED,
        ROLLED_BACK,
        GIVEN_UP
    }

    /**
     * How it ended and after how many retries.
     *
     * @param retries attempts beyond the first; after {@link End#GIVEN_UP} every attempt but the last
     */
    public record Outcome(End end, int retries) {}

    private Attempts() {}

    public static Outcome run(Transaction transaction, Session session) throws SQLException {
        for (int retries = 0; ; retries++) {
            try {
                if (!transaction.execute(session)) {
                    session.rollback();
                    return new Outcome(End.ROLLED_BACK, retries);
                }
                session.commit();
                return new Outcome(End.COMMITTED, retries);
            } catch (SQLException e) {
                session.rollback();
                if (!RETRYABLE.contains(e.getSQLState())) {
                    throw e;
                }
                if (retries == LIMIT) {
                    return new Outcome(End.GIVEN_UP, retries);
                }
            }
        }
    }
}
