// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.util.Objects;
import javax.crypto.SecretKey;

/**
 * The master keys of {@link EncryptedPageStore}s, by id: from a key store, a service, or the configuration of the
 * engine. The header of a file names the key that the file was made with, so new files can get a new key while old ones
 * are still read with theirs.
 *
 * <p>A key is asked for when a file is created or opened, and not afterwards. Implementations must be thread-safe if
 * files are opened by several threads.
 */
public interface EncryptionKeys {
    /** {@return the id of the key for new files: 1 to 64 bytes in UTF-8} It is stored in the file, not encrypted. */
    String newest();

    /**
     * {@return a master key, whose {@linkplain SecretKey#getEncoded encoded form} has 16, 24 or 32 bytes} An id must
     * not get another key later: files that were made with the former one could not be opened any more.
     *
     * @param id names the key
     * @throws IOException if there is no key of this id, or it cannot be had
     */
    SecretKey key(String id) throws IOException;

    /**
     * {@return a single key}
     *
     * @param id its id: 1 to 64 bytes in UTF-8
     * @param key the key; its encoded form has 16, 24 or 32 bytes
     * @throws IllegalArgumentException if the id or the key is not valid
     */
    static EncryptionKeys of(String id, SecretKey key) {
        EncryptionHeader.idBytes(id);
        Objects.requireNonNull(key);
        String reason = FileKey.reasonAgainst(key);
        if (reason != null) {
            throw new IllegalArgumentException("the key \"" + id + "\" " + reason);
        }
        return new EncryptionKeys() {
            @Override
            public String newest() {
                return id;
            }

            @Override
            public SecretKey key(String wanted) throws IOException {
                if (!wanted.equals(id)) {
                    throw new IOException("there is no key \"" + wanted + "\", only \"" + id + "\"");
                }
                return key;
            }
        };
    }
}
