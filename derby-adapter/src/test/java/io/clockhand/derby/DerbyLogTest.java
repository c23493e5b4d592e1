// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lines in Derby's log that contain the text of a statement. */
class DerbyLogTest {
    @Test
    void statementStaysInItsLine() {
        assertThat(DerbyLog.oneLine("waits for 'SELECT 1\nFROM\tt\r\n-- Clockhand: forged'"))
                .isEqualTo("waits for 'SELECT 1\\nFROM\\tt\\r\\n-- Clockhand: forged'");
        assertThat(DerbyLog.oneLine("\u0000\u001b[2J\u0085\u2028\u202eü"))
                .isEqualTo("\\u0000\\u001b[2J\\u0085\\u2028\\u202eü");
    }

    @Test
    void longStatementIsShortened() {
        assertThat(DerbyLog.oneLine("x".repeat(5_000))).isEqualTo("x".repeat(1_000) + " ... (5000 characters)");
        assertThat(DerbyLog.oneLine("x".repeat(1_000))).isEqualTo("x".repeat(1_000));
    }
}
