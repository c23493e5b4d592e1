// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * Two stores below a {@link io.clockhand.io.DoubleWritePageStore}, which try again when that writes the images of its
 * journal once more, so that this succeeds. If it fails half-way, older images stay in place until it is tried again,
 * and are read: see {@code DoubleWriteRepeatTest}. Only a repetition reads the journal.
 */
final class SteadyRepeats {
    private static final int MOST_TRIES = 200;
    private static final long PAUSE_NANOS = 1_000_000;

    private final ThreadLocal<Boolean> repeating = ThreadLocal.withInitial(() -> false);

    PageStore pages(PageStore store) {
        return proxied(store, (method, arguments) -> {
            if (!method.getName().startsWith("write")) {
                repeating.set(false);
            }
            return call(store, method, arguments, repeating.get() ? MOST_TRIES : 1);
        });
    }

    PageStore journal(PageStore store) {
        return proxied(store, (method, arguments) -> {
            boolean reads = method.getName().equals("read");
            repeating.set(reads);
            return call(store, method, arguments, reads ? MOST_TRIES : 1);
        });
    }

    private interface Call {
        Object apply(Method method, Object[] arguments) throws Throwable;
    }

    private static PageStore proxied(PageStore store, Call call) {
        return (PageStore) Proxy.newProxyInstance(
                store.getClass().getClassLoader(),
                new Class<?>[] {PageStore.class},
                (proxy, method, arguments) -> method.getName().equals("equals")
                        ? (Object) (proxy == arguments[0])
                        : call.apply(method, arguments));
    }

    private static Object call(PageStore store, Method method, Object[] arguments, int tries) throws Throwable {
        for (int left = tries; ; left--) {
            rewind(arguments, tries);
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                if (left == 1 || !(e.getCause() instanceof IOException)) {
                    throw e.getCause();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** A page of a repetition fills its buffer, which a failed transfer may have used in part. */
    private static void rewind(Object[] arguments, int tries) {
        if (tries > 1 && arguments != null && arguments.length == 2) {
            ((ByteBuffer) arguments[1]).clear();
        }
    }
}
