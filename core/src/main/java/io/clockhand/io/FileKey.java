// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one file, and a value that tells whether it is the right one: both derived from the master key and the
 * file's salt.
 *
 * <p>HKDF with HMAC-SHA-256 (RFC 5869). Extract: a pseudorandom key from the salt and the master key. Expand, once for
 * each label: 32 bytes, so that each is a single block, {@code HMAC(pseudorandom key, label, 1)}. The two results say
 * nothing about each other, so the check value may be stored in the file.
 */
final class FileKey {
    /** The size of a salt in bytes: that of the hash, as RFC 5869 advises. */
    static final int SALT_BYTES = 32;
    /** The size of a check value in bytes. */
    static final int CHECK_BYTES = 16;

    private static final String HMAC = "HmacSHA256";
    private static final byte[] KEY_LABEL = "clockhand page encryption 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHECK_LABEL = "clockhand key check 1".getBytes(StandardCharsets.US_ASCII);

    private final SecretKey key;
    private final byte[] check;

    private FileKey(SecretKey key, byte[] check) {
        this.key = key;
        this.check = check;
    }

    /**
     * Derives the key of a file.
     *
     * @param store names the file in messages
     * @param id names the master key in messages
     * @throws IOException if the master key is not valid, or the JVM lacks HMAC-SHA-256
     */
    static FileKey derive(String store, String id, SecretKey master, byte[] salt) throws IOException {
        String reason = master == null ? "is null" : reasonAgainst(master);
        if (reason != null) {
            throw new IOException("the key \"" + id + "\" of " + store + " " + reason);
        }
        byte[] material = master.getEncoded(); // not erased: it may be the key's own array
        byte[] pseudorandom = null;
        byte[] expanded = null;
        try {
            pseudorandom = hmac(salt, material);
            expanded = expand(pseudorandom, KEY_LABEL);
            byte[] check = Arrays.copyOf(expand(pseudorandom, CHECK_LABEL), CHECK_BYTES);
            return new FileKey(new SecretKeySpec(expanded, "AES"), check);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot derive the key of " + store + ": " + e.getMessage(), e);
        } finally {
            erase(pseudorandom);
            erase(expanded);
        }
    }

    /** {@return what is wrong with a master key, as the end of a sentence; null if nothing is} */
    static String reasonAgainst(SecretKey master) {
        byte[] material = master.getEncoded();
        if (material == null) {
            return "has no encoded form, from which the keys of files could be derived";
        }
        int bytes = material.length;
        return bytes == 16 || bytes == 24 || bytes == 32 ? null : "has " + bytes + " bytes; it must have 16, 24 or 32";
    }

    private static byte[] expand(byte[] pseudorandom, byte[] label) throws GeneralSecurityException {
        byte[] block = Arrays.copyOf(label, label.length + 1);
        block[label.length] = 1; // the number of the block
        return hmac(pseudorandom, block);
    }

    private static byte[] hmac(byte[] key, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(HMAC);
        mac.init(new SecretKeySpec(key, HMAC));
        return mac.doFinal(bytes);
    }

    private static void erase(byte[] bytes) {
        if (bytes != null) {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** {@return the key for AES-256} */
    SecretKey key() {
        return key;
    }

    /** {@return the check value, not to be changed} */
    byte[] check() {
        return check;
    }
}
