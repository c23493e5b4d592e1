// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.sql.SQLException;

/**
 * One transaction with its input drawn.
 *
 * <p>It may be executed again with the same input after a deadlock; its accessors return the values of the last
 * execution.
 */
abstract class Transaction {
    /** As {@code tpcc.json} has it. */
    final String name;

    Transaction(String name) {
        this.name = name;
    }

    /**
     * Does the work of the profile, without the commit.
     *
     * @return whether to commit; false is the roll-back that one new-order in a hundred asks for
     */
    abstract boolean execute(Session session) throws SQLException;

    /** What it adds to the throughput if it is committed. */
    int operations() {
        return 0;
    }
}
