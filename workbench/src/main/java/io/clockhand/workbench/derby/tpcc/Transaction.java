// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Kind;
import java.sql.SQLException;

/**
 * One transaction with its input drawn.
 *
 * <p>It may be executed again with the same input after a deadlock; its accessors return the values of the last
 * execution.
 */
abstract class Transaction {
    final Kind kind;

    Transaction(Kind kind) {
        this.kind = kind;
    }

    /**
     * Does the work of the profile, without the commit.
     *
     * @return whether to commit; false is the roll-back that one new-order in a hundred asks for
     */
    abstract boolean execute(Session session) throws SQLException;
}
