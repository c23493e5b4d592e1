// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.DataSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The rows of the one table: keys 1 … {@code count}, each with a content that only this row has, so that every row
 * read can be checked.
 *
 * @param seed of the contents
 */
public record Rows(int count, long seed) implements DataSet.Content {
    /** With its key and Derby's headers such a row takes about 205 bytes of a page. */
    static final int CONTENT_BYTES = 184;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    @Override
    public String label() {
        return "select-r" + count;
    }

    @Override
    public String inWords() {
        return String.format(Locale.ROOT, count == 1 ? "%,d row" : "%,d rows", count);
    }

    byte[] content(int key) {
        byte[] content = new byte[CONTENT_BYTES];
        for (int at = 0; at < CONTENT_BYTES; at += Long.BYTES) {
            WORDS.set(content, at, word(key, at));
        }
        return content;
    }

    /** Whether this is the content of the row with that key, to the last byte. */
    boolean isContent(int key, byte[] read) {
        if (read.length != CONTENT_BYTES) {
            return false;
        }
        long differences = 0;
        for (int at = 0; at < CONTENT_BYTES; at += Long.BYTES) {
            differences |= (long) WORDS.get(read, at) ^ word(key, at);
        }
        return differences == 0;
    }

    /** SplitMix64's mixing function, of a number that no other word has. */
    private long word(int key, int at) {
        long bits = seed * 0x9E3779B97F4A7C15L + (long) key * CONTENT_BYTES + at;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
