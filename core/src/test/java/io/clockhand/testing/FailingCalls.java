// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls that the code under test makes of objects that a test can replace, and lets one of them fail: the
 * first, the second and so on in one run of the test after another, until no call is left. A call counts twice: it
 * may fail before it has done anything, and after it has done everything. Thread-safe.
 */
public final class FailingCalls {
    private static final Set<String> NEVER_FAIL =
            Set.of("weightCap", "tracksAccesses", "pageBytes", "toString", "hashCode", "equals");

    private final AtomicInteger calls = new AtomicInteger();
    private volatile int failing = Integer.MAX_VALUE;
    private volatile boolean onlyOnce = true;
    private volatile Kind kind = Kind.OUT_OF_MEMORY;
    /** The failure that was thrown, and thrown again where all later calls fail, as a JVM without memory does. */
    private volatile Throwable thrown;

    private volatile String place = "no call";
    /** Called when a policy has claimed a frame, before that can fail. */
    private volatile Runnable onClaim = () -> {};

    /** The failure that a call throws. */
    public enum Kind {
        /** Memory that has run out. */
        OUT_OF_MEMORY {
            @Override
            Throwable newFailure() {
                return new OutOfMemoryError("injected");
            }
        },
        /** A stack that is too deep. */
        STACK_OVERFLOW {
            @Override
            Throwable newFailure() {
                return new StackOverflowError("injected");
            }
        },
        /** An exception that the code under test does not know. */
        EXCEPTION {
            @Override
            Throwable newFailure() {
                return new UnsupportedOperationException("injected");
            }
        },
        /** An error that the code under test does not know. */
        ERROR {
            @Override
            Throwable newFailure() {
                return new LinkageError("injected");
            }
        };

        abstract Throwable newFailure();
    }

    /**
     * Lets a call fail.
     *
     * @param number the number of the call, from 1
     * @param failure what it throws
     * @param once whether the calls after it succeed
     */
    public void failAt(int number, Kind failure, boolean once) {
        kind = failure;
        onlyOnce = once;
        thrown = null;
        calls.set(0);
        failing = number;
    }

    /** From now on no call fails. */
    public void succeed() {
        failing = Integer.MAX_VALUE;
    }

    /** {@return whether a call has failed since {@link #failAt}} */
    public boolean hasFailed() {
        return thrown != null;
    }

    /** {@return the call that has failed first} */
    public String place() {
        return place;
    }

    /**
     * {@return whether a failure comes from here}
     *
     * @param failure a failure; its causes and what it suppresses count, too
     */
    @SuppressWarnings("ReferenceEquality") // the very failure
    public boolean isInjected(Throwable failure) {
        for (Throwable suppressed : failure.getSuppressed()) {
            if (isInjected(suppressed)) {
                return true;
            }
        }
        return failure == thrown || (failure.getCause() != null && isInjected(failure.getCause()));
    }

    /**
     * Runs when a policy has claimed a frame.
     *
     * @param hook runs in the thread that has claimed it
     */
    public void onClaim(Runnable hook) {
        onClaim = hook;
    }

    /**
     * A call, which may fail.
     *
     * @param call names it
     */
    public void at(String call) {
        int number = calls.incrementAndGet();
        if (number < failing || (onlyOnce && number > failing)) {
            return;
        }
        fail("call " + number + ", " + call);
    }

    /**
     * Fails, whatever was called before.
     *
     * @param call names the call
     */
    public void fail(String call) {
        synchronized (this) {
            if (thrown == null) {
                place = call;
                thrown = kind.newFailure();
            }
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    /**
     * Makes the calls of an object fail, but those of some names.
     *
     * @param face its interface
     * @param target the object
     * @param but the names of methods that always succeed
     * @param <T> the type of the interface
     * @return calls the object
     */
    public <T> T failing(Class<T> face, T target, String... but) {
        Set<String> never = Set.of(but);
        return face.cast(Proxy.newProxyInstance(
                face.getClassLoader(), new Class<?>[] {face}, (proxy, method, arguments) -> {
                    if (NEVER_FAIL.contains(method.getName()) || never.contains(method.getName())) {
                        return invoke(target, method, arguments);
                    }
                    String call = face.getSimpleName() + "." + method.getName();
                    at("before " + call);
                    Object result = invoke(target, method, arguments);
                    boolean claims = face.equals(Claims.class) && Boolean.TRUE.equals(result);
                    if (claims || Claims.Outcome.CLAIMED.equals(result)) {
                        onClaim.run();
                    }
                    at("after " + call);
                    return result;
                }));
    }

    /**
     * Makes the calls of a policy fail, and the calls that it makes to claim a frame.
     *
     * @param policy the policy
     * @return calls it
     */
    public ReplacementPolicy failing(ReplacementPolicy policy) {
        return failing(ReplacementPolicy.class, new ForwardingPolicy(policy) {
            @Override
            public int evict(long identity, Claims claims) {
                return super.evict(identity, failing(Claims.class, claims));
            }
        });
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
