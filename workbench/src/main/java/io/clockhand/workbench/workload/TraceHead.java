// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The first bytes of an unpacked trace: whether they are text, and in which encoding.
 *
 * @param charset of text: that of its byte-order mark, else UTF-8
 * @param markBytes the length of the byte-order mark
 * @param text without the mark; null if the bytes are no text
 * @param isUnmarkedUtf16 whether each second byte is 0 and the others are ASCII: UTF-16 without a mark
 */
record TraceHead(Charset charset, int markBytes, String text, boolean isUnmarkedUtf16) {
    private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final byte[] UTF_16LE_MARK = {(byte) 0xff, (byte) 0xfe};
    private static final byte[] UTF_16BE_MARK = {(byte) 0xfe, (byte) 0xff};

    /** Two bytes a letter are taken for text only if its first letters are ASCII: most binary data decode, too. */
    private static final int ASCII_LETTERS = 16;

    private static final int LAST_ASCII = 0x7f;

    static TraceHead of(byte[] bytes) {
        if (startsWith(bytes, UTF_8_MARK)) {
            return decoded(bytes, UTF_8_MARK.length, StandardCharsets.UTF_8);
        }
        if (startsWith(bytes, UTF_16LE_MARK)) {
            return decoded(bytes, UTF_16LE_MARK.length, StandardCharsets.UTF_16LE);
        }
        if (startsWith(bytes, UTF_16BE_MARK)) {
            return decoded(bytes, UTF_16BE_MARK.length, StandardCharsets.UTF_16BE);
        }
        return decoded(bytes, 0, StandardCharsets.UTF_8);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static TraceHead decoded(byte[] bytes, int markBytes, Charset charset) {
        CharBuffer letters = CharBuffer.allocate(bytes.length);
        boolean isMalformed = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, markBytes, bytes.length - markBytes), letters, false)
                .isError();
        String text = letters.flip().toString();
        boolean isText = !isMalformed
                && text.chars().noneMatch(c -> Character.isISOControl(c) && !Character.isWhitespace(c))
                && (charset.equals(StandardCharsets.UTF_8)
                        || text.chars().limit(ASCII_LETTERS).allMatch(c -> c <= LAST_ASCII));
        return new TraceHead(charset, markBytes, isText ? text : null, alternates(bytes, 0) || alternates(bytes, 1));
    }

    boolean isText() {
        return text != null;
    }

    /** The first line that is neither empty nor a comment; empty if there is none. */
    String firstLine() {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !TraceFormat.isComment(line))
                .findFirst()
                .orElse("");
    }

    private static boolean alternates(byte[] bytes, int letterAt) {
        int checked = Math.min(bytes.length & ~1, 2 * ASCII_LETTERS);
        for (int i = 0; i < checked; i += 2) {
            int letter = bytes[i + letterAt];
            if (bytes[i + 1 - letterAt] != 0 || letter <= 0 || (letter < ' ' && !Character.isWhitespace(letter))) {
                return false;
            }
        }
        return checked > 0;
    }
}
