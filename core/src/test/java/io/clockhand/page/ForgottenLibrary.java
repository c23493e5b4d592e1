// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.FileOption;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import java.io.File;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * As a program, does what a server does that undeploys an application: loads the library by a class loader, uses a pool
 * of it, forgets all of that, and waits until the class loader is collected. {@code folder close|forget}.
 */
final class ForgottenLibrary {
    private static final int PAGE_BYTES = 512;
    /** Between two collections: threads that wait for work end after some seconds. */
    private static final long MILLIS = 200;

    private ForgottenLibrary() {}

    /** Called by reflection, in the library of a class loader. */
    static void use(String folder, String end) throws IOException {
        BufferPool pool = Pools.builder()
                .name("orders")
                .pageBytes(PAGE_BYTES)
                .frames(16)
                .tuning(t -> t.flushThreads(1).flushInterval(Duration.ofMillis(1)))
                .build();
        PagedFile file = pool.open(1, Path.of(folder).resolve("orders"), FileOption.CREATE);
        PagedFile memory = pool.open(2, new MemoryPageStore("memory", PAGE_BYTES));
        for (int i = 0; i < 40; i++) {
            try (WritablePage page = (i % 2 == 0 ? file : memory).create()) {
                page.beginUpdate();
                page.endUnloggedUpdate();
            }
        }
        pool.flush();
        file.prefetch(0, 8).await(Duration.ofMinutes(1));
        pool.newGuard().fix(file.id(1)).close();
        if (end.equals("close")) {
            pool.close();
        }
    }

    private static WeakReference<ClassLoader> useAnother(String[] args, ReferenceQueue<ClassLoader> collected)
            throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(url(path));
        }
        ClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Method use = Class.forName(ForgottenLibrary.class.getName(), true, loader)
                .getDeclaredMethod("use", String.class, String.class);
        use.setAccessible(true);
        use.invoke(null, args[0], args[1]);
        return new WeakReference<>(loader, collected);
    }

    private static URL url(String path) throws MalformedURLException {
        return Path.of(path).toUri().toURL();
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = useAnother(args, collected);
        do { // the test ends this if it does not end
            System.gc();
        } while (collected.remove(MILLIS) == null);
        System.out.println(loader.refersTo(null) ? "collected" : "another one was collected");
    }
}
