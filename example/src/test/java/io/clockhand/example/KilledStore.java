// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that {@link KillTest} kills. It opens a store, and prints a line for each call of a file of pages
 * meanwhile; then it runs transactions in some threads, and prints a line for each that has ended. Arguments: the
 * folder, the seed, then for each thread the number of transactions that it has done before; with none it ends when
 * the store is open.
 */
final class KilledStore {
    static final StoreConfig CONFIG = new StoreConfig(1024, 40, true, true, Duration.ofMinutes(1));
    /** More than anybody reads before the kill. */
    private static final int TRANSACTIONS = 20_000;

    private KilledStore() {}

    /** Prints a line for each call of a file of pages. */
    private static final class NoisyStorage extends Storage {
        private final PrintStream out;
        private volatile boolean isQuiet;

        NoisyStorage(Path folder, PrintStream out) {
            super(folder);
            this.out = out;
        }

        @Override
        PageStore pages(String name, int pageBytes) throws IOException {
            PageStore store = super.pages(name, pageBytes);
            return (PageStore) Proxy.newProxyInstance(
                    PageStore.class.getClassLoader(), new Class<?>[] {PageStore.class}, (proxy, method, arguments) -> {
                        if (!isQuiet && method.getReturnType() == void.class) {
                            out.println("call " + method.getName() + " of " + name);
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    /**
     * Runs until it is killed.
     *
     * @param arguments see above
     * @throws Exception if something fails
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true);
        NoisyStorage storage = new NoisyStorage(Path.of(arguments[0]), out);
        Store store = new Store(storage, CONFIG);
        storage.isQuiet = true;
        out.println("open");
        List<Threads.Task> tasks = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            int thread = i - 2;
            Plan plan = new Plan(Long.parseLong(arguments[1]), thread, CONFIG.pageBytes());
            while (plan.done() < Long.parseLong(arguments[i])) {
                plan.skip();
            }
            tasks.add(() -> {
                for (int n = 0; n < TRANSACTIONS; n++) {
                    plan.run(store);
                    out.println("done " + thread + " " + plan.done());
                    if (n % 20 == 10) {
                        store.checkpoint();
                    }
                }
            });
        }
        Threads.run(tasks);
        Runtime.getRuntime().halt(0); // as a kill
    }
}
