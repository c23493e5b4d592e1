// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * Loads, cleans and clears the holders of a {@link HolderCache}. Implemented by the engine.
 *
 * <p>A <i>holder</i> is the object that carries what belongs to a key: a page with its byte array, an open file, a
 * compiled statement. Holders are recycled: {@link #clear} empties one, and a later {@link #load} or {@link #create}
 * fills it for another key.
 *
 * <p>For one holder at most one of {@code load}, {@code create}, {@code clean} and {@code clear} runs at a time, by
 * the thread that needs it; no lock of the cache is held meanwhile, and all of them may use other caches. Only a pinned
 * holder may become dirty. The interrupt flag of the thread is cleared before each of these calls and set again after
 * it; {@link #keyOf} and {@link #idOf}, which a hit calls, find it as it is.
 *
 * @param <K> the keys, with {@code equals} and {@code hashCode}
 * @param <V> the holders
 * @param <X> what loading and cleaning may throw
 */
public interface HolderLifecycle<K, V, X extends Exception> {

    /** {@return a new, empty holder} */
    V allocate();

    /**
     * Makes the holder carry what belongs to the key.
     *
     * @param holder an empty holder
     * @param key the key
     * @return the holder; or another object to be cached in its place; or null if there is nothing for the key,
     *     and then nothing stays in the cache
     * @throws X if it failed; nothing stays in the cache, and the holder is cleared and not used again
     */
    V load(V holder, K key) throws X;

    /**
     * Makes the holder carry something new under the key.
     *
     * @param holder an empty holder
     * @param key the key
     * @param parameter what the caller of {@link HolderCache#create} passed
     * @return as for {@link #load}
     * @throws X if it failed, as for {@link #load}
     */
    V create(V holder, K key, Object parameter) throws X;

    /**
     * Names the key that a pinned holder was loaded for.
     *
     * @param holder a pinned holder
     * @return its key
     */
    K keyOf(V holder);

    /**
     * Gives the number by which {@link KeyTableKind#CHAINED} looks a key up; equal keys must have equal numbers.
     *
     * <p>A number that is not negative must belong to one key, and be the same each time: then the cache compares the
     * numbers and never the keys, and most hits go from the number to the frame without the table. A negative number is
     * a hash: of keys that have it in common {@code equals} decides.
     *
     * @param key a key
     * @return a negative number made of its {@code hashCode}, if this method is not overridden
     */
    default long idOf(K key) {
        return key.hashCode() | Long.MIN_VALUE;
    }

    /**
     * Tells whether the holder has changes that must be written before it may be cleared. May wait for a write of the
     * same holder that is under way.
     *
     * @param holder a loaded holder
     * @return whether it is dirty
     */
    boolean isDirty(V holder);

    /**
     * Writes the changes of the holder back; when it returns the holder is clean.
     *
     * @param holder a loaded holder
     * @param removing whether the holder is about to be removed for good
     * @throws X if the write failed; the holder stays dirty and in the cache
     */
    void clean(V holder, boolean removing) throws X;

    /**
     * Tells whether the calling thread, which is in a find, may write a dirty victim back itself where there is a
     * cleaner to leave it to. If not the cache grows instead. Asked before each such write.
     *
     * @return false if a write would be wrong here, for instance since the caller of the find has locks that others
     *     need
     */
    default boolean mayCleanHere() {
        return true;
    }

    /**
     * Empties the holder and releases what it holds. Also called after a load that failed or found nothing.
     *
     * @param holder a holder that is not in use
     */
    void clear(V holder);
}
