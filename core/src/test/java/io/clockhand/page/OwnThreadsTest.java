// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Threads of the library inherit nothing of the thread of the engine that starts them. */
class OwnThreadsTest {
    private static final int PAGE_BYTES = 512;
    private static final int PREFETCHED = 4;
    private static final InheritableThreadLocal<String> REQUEST = new InheritableThreadLocal<>();

    private record Inherited(ClassLoader loader, String request, ThreadGroup group, int priority, boolean daemon) {}

    private final Map<String, Inherited> threads = new ConcurrentHashMap<>();

    /** Has pages that no pool has seen, so that a prefetch must read them. Notes the threads that call it. */
    private PageStore store() throws IOException {
        MemoryPageStore memory = new MemoryPageStore("memory", PAGE_BYTES);
        memory.extend(PREFETCHED);
        return (PageStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PageStore.class}, (self, method, arguments) -> {
                    note();
                    return method.invoke(memory, arguments);
                });
    }

    private void usePool() throws IOException {
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(16)
                .tuning(t -> t.flushThreads(1).flushInterval(Duration.ofMillis(1)))
                .build()) {
            PagedFile file = pool.open(0, store());
            assertThat(file.prefetch(0, PREFETCHED).await(Patience.PATIENCE))
                    .as("prefetched")
                    .isTrue();
            assertThat(threads).containsKey("clockhand-prefetch");
            Workers.await(() -> isWrittenByFlusher(file), "the flusher writes no page");
        }
    }

    /** Makes a page dirty; {@return whether a thread of the flusher has written one} */
    private boolean isWrittenByFlusher(PagedFile file) {
        try (WritablePage page = file.create()) {
            page.beginUpdate();
            page.endUpdate(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return threads.containsKey("clockhand-flush");
    }

    private void note() {
        Thread thread = Thread.currentThread();
        if (!thread.getName().startsWith("clockhand")) {
            return;
        }
        threads.put(
                thread.getName(),
                new Inherited(
                        thread.getContextClassLoader(),
                        REQUEST.get(),
                        thread.getThreadGroup(),
                        thread.getPriority(),
                        thread.isDaemon()));
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // which must not be inherited
    void threadsInheritNothing() throws Exception {
        ThreadGroup group = new ThreadGroup("requests");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread request = new Thread(group, () -> {
            try {
                REQUEST.set("one of many");
                usePool();
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        request.setPriority(Thread.MAX_PRIORITY);
        request.setContextClassLoader(new URLClassLoader(new URL[0]));
        request.start();
        request.join();
        assertThat(failure.get()).isNull();
        assertThat(threads).containsOnlyKeys("clockhand-flush", "clockhand-prefetch");
        threads.forEach((name, inherited) -> {
            assertThat(inherited.loader).as("context class loader of %s", name).isNull();
            assertThat(inherited.request).as("thread-local of %s", name).isNull();
            assertThat(inherited.group.getParent())
                    .as("parent of the group of %s", name)
                    .isNull();
            assertThat(inherited.priority).as("priority of %s", name).isEqualTo(Thread.NORM_PRIORITY);
            assertThat(inherited.daemon).as("%s is a daemon", name).isTrue();
        });
    }
}
