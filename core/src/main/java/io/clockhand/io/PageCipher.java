// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and decrypts single pages of one file by AES-GCM. For one thread at a time.
 *
 * <p>Pages pass through two arrays on the heap: the JDK's cipher would copy direct memory in small pieces, and would
 * make an array for each page that is decrypted in place. The arrays hold the bytes of the last page until the next.
 */
final class PageCipher {
    /** The size of a tag in bytes. */
    static final int TAG_BYTES = 16;
    /** The size of a nonce in bytes: 96 bits, for which GCM needs no hash of the nonce. */
    static final int NONCE_BYTES = 12;
    /** What each page has behind its ciphertext: the tag, then the nonce. */
    static final int TRAILER_BYTES = TAG_BYTES + NONCE_BYTES;

    private static final byte[] NOTHING = {};

    private final Cipher cipher;
    private final SecretKey key;
    private final SecureRandom random;
    private final int dataBytes;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private final byte[] number = new byte[Long.BYTES];
    private final byte[] input;
    private final byte[] output;

    /**
     * Makes a cipher.
     *
     * @param key the key of the file
     * @param random gives the nonces
     * @param pageBytes the size of a page
     * @throws GeneralSecurityException if the JVM has no AES-GCM
     */
    PageCipher(SecretKey key, SecureRandom random, int pageBytes) throws GeneralSecurityException {
        this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        this.key = key;
        this.random = random;
        this.dataBytes = pageBytes - TRAILER_BYTES;
        this.input = new byte[dataBytes + TAG_BYTES];
        this.output = new byte[dataBytes + TAG_BYTES];
    }

    /** Encrypts the page at a position of a buffer into the same or another one. Moves no position. */
    void encrypt(long page, ByteBuffer from, int at, ByteBuffer to, int start) throws GeneralSecurityException {
        from.get(at, input, 0, dataBytes);
        init(Cipher.ENCRYPT_MODE, freshNonce(), page);
        cipher.doFinal(input, 0, dataBytes, output, 0);
        to.put(start, output).put(start + output.length, nonce);
    }

    /**
     * Decrypts the page at a position of a buffer in place; leaves the tag and the nonce behind it. Moves no position.
     *
     * @return false if they are not those of the bytes, which are as they were then
     */
    boolean tryDecrypt(long page, ByteBuffer bytes, int at) throws GeneralSecurityException {
        bytes.get(at, input).get(at + input.length, nonce);
        init(Cipher.DECRYPT_MODE, nonce, page);
        try {
            cipher.doFinal(input, 0, input.length, output, 0);
        } catch (AEADBadTagException e) {
            return false;
        }
        bytes.put(at, output, 0, dataBytes);
        return true;
    }

    /** Writes a tag and a fresh nonce for the first bytes of an array behind them. */
    void seal(byte[] bytes, int count) throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters(freshNonce()));
        cipher.updateAAD(bytes, 0, count);
        cipher.doFinal(NOTHING, 0, 0, bytes, count);
        System.arraycopy(nonce, 0, bytes, count + TAG_BYTES, NONCE_BYTES);
    }

    /** {@return whether tag and nonce behind the first bytes of an array are theirs} */
    boolean isSealed(byte[] bytes, int count) throws GeneralSecurityException {
        System.arraycopy(bytes, count + TAG_BYTES, nonce, 0, NONCE_BYTES);
        cipher.init(Cipher.DECRYPT_MODE, key, parameters(nonce));
        cipher.updateAAD(bytes, 0, count);
        try {
            cipher.doFinal(bytes, count, TAG_BYTES);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        }
    }

    private byte[] freshNonce() {
        random.nextBytes(nonce);
        return nonce;
    }

    /** The number of the page is authenticated, so that pages cannot change places. */
    private void init(int mode, byte[] with, long page) throws GeneralSecurityException {
        cipher.init(mode, key, parameters(with));
        ByteBuffer.wrap(number).putLong(page);
        cipher.updateAAD(number);
    }

    private static AlgorithmParameterSpec parameters(byte[] nonce) {
        return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce);
    }

    /** {@return a failure to be thrown} */
    static IOException failure(String what, GeneralSecurityException e) {
        return new IOException(what + ": the cipher AES-GCM of this JVM has failed: " + e.getMessage(), e);
    }
}
