// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.reflect.InvocationTargetException;

/** Creates the tables that are built on JCTools, an optional dependency. */
public final class NonBlockingTables {
    /*
     * The classes are loaded by name, so that nothing outside their package links to JCTools. The JVM resolves JCTools'
     * own classes when such a table is created, so that is where it finds them missing.
     */
    private static final String PACKAGE = "io.clockhand.internal.jctools.";

    private NonBlockingTables() {}

    /**
     * Creates an empty page table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @return the table
     * @throws IllegalStateException if JCTools is missing
     */
    public static PageTable pageTable(int frames) {
        return (PageTable) create("NonBlockingPageTable", frames);
    }

    /**
     * Creates an empty table of entries.
     *
     * @param capacity the number of entries that the table has space for before it grows
     * @param <K> the keys
     * @param <N> the entries
     * @return the table
     * @throws IllegalStateException if JCTools is missing
     */
    @SuppressWarnings("unchecked") // an empty table suits any entries
    public static <K, N extends ChainedTable.Node<K>> NodeTable<K, N> nodeTable(int capacity) {
        return (NodeTable<K, N>) create("NonBlockingNodeTable", capacity);
    }

    private static Object create(String name, int size) {
        try {
            return Class.forName(PACKAGE + name).getConstructor(int.class).newInstance(size);
        } catch (NoClassDefFoundError e) {
            throw missing(e);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof NoClassDefFoundError) {
                throw missing(e.getCause());
            }
            throw new IllegalStateException("cannot create " + PACKAGE + name + ": " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot load " + PACKAGE + name + ": " + e, e);
        }
    }

    private static IllegalStateException missing(Throwable cause) {
        return new IllegalStateException(
                "the table non-blocking-hash-map needs JCTools: add the artifact org.jctools:jctools-core to the"
                        + " class path, or to the module path with --add-modules org.jctools.core",
                cause);
    }
}
