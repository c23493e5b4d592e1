// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowsTest {
    private static final Rows ROWS = new Rows(1000, 1);

    @Test
    void everyRowHasItsOwnContent() {
        Set<ByteBuffer> contents = new HashSet<>();
        for (int key = 1; key <= ROWS.count(); key++) {
            byte[] content = ROWS.content(key);
            assertThat(ROWS.isContent(key, content)).isTrue();
            assertThat(ROWS.isContent(key + 1, content)).isFalse();
            contents.add(ByteBuffer.wrap(content));
        }
        assertThat(contents).hasSize(ROWS.count());
        assertThat(new Rows(1000, 2).isContent(1, ROWS.content(1))).isFalse();
    }

    @Test
    void noChangedByteGoesUnseen() {
        for (int at = 0; at < Rows.CONTENT_BYTES; at++) {
            byte[] content = ROWS.content(7);
            content[at]++;
            assertThat(ROWS.isContent(7, content)).as("byte %d", at).isFalse();
        }
        assertThat(ROWS.isContent(7, Arrays.copyOf(ROWS.content(7), Rows.CONTENT_BYTES - 1)))
                .isFalse();
    }
}
