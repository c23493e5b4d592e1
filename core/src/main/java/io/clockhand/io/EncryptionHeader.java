// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.SecretKey;

/**
 * The first page of an encrypted file. Its bytes lie in the first 512, which devices write as a whole; the others are
 * zero, and are not looked at. Numbers are big-endian.
 *
 * <pre>
 *   0   8  magic number                             132   8  length in bytes, or -1 if all pages are whole
 *   8   4  version of the format                    140  16  GCM tag of the bytes before it
 *  12   4  size of a page in bytes                  156  12  nonce of the tag
 *  16   4  length of the id of the master key       168   4  CRC-32C of the bytes before it
 *  20  64  id of the master key, UTF-8
 *  84  32  salt
 * 116  16  key check value
 * </pre>
 *
 * <p>The magic number, the version and the checksum lie there in all versions. The checksum tells damage from a wrong
 * key, since the tag cannot be checked without the right one: a header whose checksum is right and whose check value is
 * not that of the key was made with another key. It protects against nobody. Who changes the header on purpose is found
 * out by the tag.
 *
 * <p>Immutable but for the length, which the owner guards.
 */
final class EncryptionHeader {
    /** The size of the smallest page that has room for a header. */
    static final int LEAST_PAGE_BYTES = 512;
    /** Instead of a length: no page is incomplete. */
    static final long WHOLE = -1;

    private static final byte[] MAGIC = "CHENCRPT".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int GREATEST_ID_BYTES = 64;

    private static final int VERSION_AT = 8;
    private static final int PAGE_BYTES_AT = 12;
    private static final int ID_LENGTH_AT = 16;
    private static final int ID_AT = 20;
    private static final int SALT_AT = ID_AT + GREATEST_ID_BYTES;
    private static final int CHECK_AT = SALT_AT + FileKey.SALT_BYTES;
    private static final int LENGTH_AT = CHECK_AT + FileKey.CHECK_BYTES;
    private static final int TAG_AT = LENGTH_AT + Long.BYTES;
    private static final int CRC_AT = TAG_AT + PageCipher.TRAILER_BYTES;
    private static final int END = CRC_AT + Integer.BYTES;

    private final FileKey key;
    private final byte[] bytes;

    private EncryptionHeader(FileKey key, byte[] bytes) {
        this.key = key;
        this.bytes = bytes;
    }

    /** {@return the id in UTF-8} */
    static byte[] idBytes(String id) {
        byte[] encoded = id.getBytes(StandardCharsets.UTF_8);
        if (encoded.length == 0 || encoded.length > GREATEST_ID_BYTES) {
            throw new IllegalArgumentException("the id of the key \"" + id + "\" has " + encoded.length
                    + " bytes in UTF-8; it must have 1 to " + GREATEST_ID_BYTES);
        }
        if (!new String(encoded, StandardCharsets.UTF_8).equals(id)) {
            throw new IllegalArgumentException("the id of the key \"" + id + "\" has half of a surrogate pair");
        }
        return encoded;
    }

    /** {@return the header of a new file, with a salt of its own} */
    static EncryptionHeader create(PageStore store, EncryptionKeys keys, SecureRandom random) throws IOException {
        String id = keys.newest();
        byte[] encoded = idBytes(id);
        byte[] salt = new byte[FileKey.SALT_BYTES];
        random.nextBytes(salt);
        FileKey key = FileKey.derive(store.name(), id, master(store.name(), id, keys), salt);
        byte[] bytes = new byte[END];
        ByteBuffer.wrap(bytes)
                .put(0, MAGIC)
                .putInt(VERSION_AT, VERSION)
                .putInt(PAGE_BYTES_AT, store.pageBytes())
                .putInt(ID_LENGTH_AT, encoded.length)
                .put(ID_AT, encoded)
                .put(SALT_AT, salt)
                .put(CHECK_AT, key.check())
                .putLong(LENGTH_AT, WHOLE);
        return new EncryptionHeader(key, bytes);
    }

    /**
     * {@return the header in the first page of a file}
     *
     * @param store has the file
     * @param page the bytes of the page, from its position on
     * @param random only to make a cipher
     * @throws IOException if there is no header, it is damaged, its key cannot be had or is a wrong one, or the pages
     *     have another size
     */
    static EncryptionHeader read(PageStore store, ByteBuffer page, EncryptionKeys keys, SecureRandom random)
            throws IOException {
        String name = store.name();
        byte[] found = new byte[END];
        page.get(page.position(), found);
        checkFormat(name, store.pages(), found);
        String id = id(name, found);
        FileKey key = FileKey.derive(
                name, id, master(name, id, keys), Arrays.copyOfRange(found, SALT_AT, SALT_AT + FileKey.SALT_BYTES));
        if (!MessageDigest.isEqual(key.check(), Arrays.copyOfRange(found, CHECK_AT, LENGTH_AT))) {
            throw new IOException("cannot open " + name + ": the key \"" + id + "\" is not the one that it was made"
                    + " with, though that had the same id; give the former key under this id");
        }
        EncryptionHeader header = new EncryptionHeader(key, found);
        try {
            if (!new PageCipher(key.key(), random, store.pageBytes()).isSealed(found, TAG_AT)) {
                throw damaged(name, "its tag is not that of its bytes, so that it was changed on purpose");
            }
        } catch (GeneralSecurityException e) {
            throw PageCipher.failure("cannot open " + name, e);
        }
        int pageBytes = ByteBuffer.wrap(found).getInt(PAGE_BYTES_AT);
        if (pageBytes != store.pageBytes()) {
            throw new IOException("cannot open " + name + ": its pages have " + pageBytes + " bytes, not "
                    + store.pageBytes() + "; open it with pages of " + pageBytes);
        }
        return header;
    }

    private static SecretKey master(String name, String id, EncryptionKeys keys) throws IOException {
        try {
            return keys.key(id);
        } catch (IOException e) {
            throw new IOException("the key \"" + id + "\" of " + name + " cannot be had: " + e.getMessage(), e);
        }
    }

    private static void checkFormat(String name, long pages, byte[] found) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(found);
        if (Arrays.equals(found, new byte[END])) {
            throw pages > 1
                    ? damaged(name, "it is zero")
                    : new IOException("cannot open " + name + ": its header is zero, since a crash came while it was"
                            + " created; it has no pages yet: delete it, and create it again");
        }
        if (!Arrays.equals(found, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException("cannot open " + name + ": it is not an encrypted file, or its header is damaged."
                    + " Open a file that is not encrypted without an EncryptedPageStore");
        }
        if (bytes.getInt(CRC_AT) != checksum(found)) {
            throw damaged(name, "the checksum of the header is wrong");
        }
        int version = bytes.getInt(VERSION_AT);
        if (version != VERSION) {
            throw new IOException("cannot open " + name + ": its format has version " + version
                    + ", but this library knows version " + VERSION + " only; use a newer one");
        }
    }

    private static String id(String name, byte[] found) throws IOException {
        int length = ByteBuffer.wrap(found).getInt(ID_LENGTH_AT);
        if (length < 1 || length > GREATEST_ID_BYTES) {
            throw damaged(name, "the id of its key has " + length + " bytes");
        }
        return new String(found, ID_AT, length, StandardCharsets.UTF_8);
    }

    private static IOException damaged(String name, String reason) {
        return new IOException("cannot open " + name + ": its header is damaged (" + reason
                + "); without it no page can be decrypted: restore the first " + LEAST_PAGE_BYTES
                + " bytes, or the file, from a backup");
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CRC_AT);
        return (int) crc.getValue();
    }

    /** {@return the key of the file} */
    FileKey key() {
        return key;
    }

    /** {@return the length in bytes if the last page is incomplete, else {@link #WHOLE}} */
    long length() {
        return ByteBuffer.wrap(bytes).getLong(LENGTH_AT);
    }

    /**
     * Puts a header with another length into a page, with a fresh nonce.
     *
     * @param cipher has the key of the file
     * @param page gets the header at its beginning, and zeros behind it
     */
    void put(long length, PageCipher cipher, ByteBuffer page) throws GeneralSecurityException {
        ByteBuffer.wrap(bytes).putLong(LENGTH_AT, length);
        cipher.seal(bytes, TAG_AT);
        ByteBuffer.wrap(bytes).putInt(CRC_AT, checksum(bytes));
        page.clear().put(bytes);
        while (page.hasRemaining()) {
            page.put((byte) 0);
        }
        page.flip();
    }
}
