// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/** Rows as text that is the same for the same content. */
final class Cells {
    private static final int LONG_TEXT = 40;

    private Cells() {}

    /** {@return the current row; long texts and large objects as their length and checksum} */
    static String row(ResultSet rows) throws SQLException {
        List<String> cells = new ArrayList<>();
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
            cells.add(cell(rows.getObject(column)));
        }
        return String.join(" | ", cells);
    }

    private static String cell(Object value) throws SQLException {
        if (value instanceof Clob clob) {
            return text(read(clob.getCharacterStream()));
        }
        if (value instanceof Blob blob) {
            return bytes(blob.getBinaryStream());
        }
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes " + crc(bytes);
        }
        return text(String.valueOf(value));
    }

    private static String text(String value) {
        return value.length() <= LONG_TEXT
                ? value
                : value.length() + " characters " + crc(value.getBytes(StandardCharsets.UTF_8));
    }

    /** {@return a stream's length and checksum} */
    static String bytes(InputStream in) {
        CRC32 sum = new CRC32();
        try (CheckedInputStream stream = new CheckedInputStream(in, sum)) {
            long length = stream.transferTo(java.io.OutputStream.nullOutputStream());
            return length + " bytes " + Long.toHexString(sum.getValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Reader reader) {
        try (reader) {
            java.io.StringWriter text = new java.io.StringWriter();
            reader.transferTo(text);
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String crc(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return Long.toHexString(sum.getValue());
    }

    /** {@return the number of the rows left and a checksum over them in their order} */
    static String checksum(ResultSet rows) throws SQLException {
        CRC32 sum = new CRC32();
        int count = 0;
        while (rows.next()) {
            sum.update(row(rows).getBytes(StandardCharsets.UTF_8));
            sum.update('\n');
            count++;
        }
        return count + " rows " + Long.toHexString(sum.getValue());
    }
}
