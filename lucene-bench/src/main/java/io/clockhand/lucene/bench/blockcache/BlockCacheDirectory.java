// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** A directory whose files are read through a {@link BlockCache}, and written as those of any other directory. */
public final class BlockCacheDirectory extends FSDirectory {
    private final BlockCache cache;
    private final Set<OpenOption> options;
    private final Map<String, BlockFile> files = new HashMap<>();

    /** Opens a directory that reads past the system's cache if {@code direct}. */
    public BlockCacheDirectory(Path path, BlockCache cache, boolean direct) throws IOException {
        super(path, FSLockFactory.getDefault());
        this.cache = cache;
        options = direct ? Set.of(StandardOpenOption.READ, directIo()) : Set.of(StandardOpenOption.READ);
    }

    /** By its name, since the compiler warns of it. */
    private static OpenOption directIo() throws IOException {
        try {
            return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                    .getField("DIRECT")
                    .get(null);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this JVM has no direct I/O", e);
        }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        ensureOpen();
        ensureCanRead(name);
        return new BlockInput("BlockInput(" + getDirectory().resolve(name) + ")", file(name));
    }

    /** Inputs of one file share its blocks, so they share the file, while one of them is open. */
    private synchronized BlockFile file(String name) throws IOException {
        BlockFile file = files.get(name);
        if (file == null || !file.open()) {
            file = new BlockFile(cache, FileChannel.open(getDirectory().resolve(name), options));
            file.open();
            files.put(name, file);
        }
        return file;
    }

    @Override
    public synchronized void deleteFile(String name) throws IOException {
        files.remove(name);
        super.deleteFile(name);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        files.remove(from);
        files.remove(to);
        super.rename(from, to);
    }
}
