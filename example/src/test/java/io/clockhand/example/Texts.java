// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import java.nio.charset.StandardCharsets;
import java.util.function.BiPredicate;

/** Entries whose keys and values are texts, with a byte for each letter. */
final class Texts {
    private Texts() {}

    /** Visits keys and values as texts. */
    static Transaction.EntryVisitor visitor(BiPredicate<String, String> visitor) {
        return (bytes, key, keyLength, value, valueLength) -> visitor.test(
                new String(bytes, key, keyLength, StandardCharsets.ISO_8859_1),
                new String(bytes, value, valueLength, StandardCharsets.ISO_8859_1));
    }
}
