// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.policy.Policies;
import io.clockhand.policy.PoliciesForTests;
import io.clockhand.policy.ReplacementPolicy;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An error inside the policy (memory that runs out, a stack that is too deep) leaks no frame.
 * A list that is a ring without its head would be walked for ever, hence the time-out.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class ThrowingPolicyTest {
    private static final class NoMemory extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final Counters counters = new Counters();
    private final AtomicReference<String> throwsIn = new AtomicReference<>();
    private ReplacementPolicy policy;
    private HolderCache<Integer, Counter, IOException> cache;

    private void open(String name) {
        policy = Policies.create(name, 1);
        cache = HolderCache.builder(counters).frames(1).build(throwing());
    }

    private ReplacementPolicy throwing() {
        return (ReplacementPolicy) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ReplacementPolicy.class}, (proxy, method, arguments) -> {
                    if (throwsIn.compareAndSet(method.getName(), null)) {
                        throw new NoMemory();
                    }
                    try {
                        return method.invoke(policy, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    static List<String> policies() {
        return Policies.names();
    }

    private void dirty(int key) throws IOException {
        Counter counter = cache.find(key);
        counter.set(7);
        cache.release(counter);
    }

    private void expectThatWorkGoesOn() throws IOException {
        Counter pinned = cache.find(8);
        cache.release(cache.find(9));
        cache.release(pinned);
        cache.release(cache.find(10));
        cache.checkIntegrity();
        PoliciesForTests.checkIntegrity(policy);
        assertThat(counters.violations).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void holderWhoseLoadThePolicyCannotRecordStaysWithoutAPin(String name) throws IOException {
        open(name);
        throwsIn.set("onLoad");

        assertThatThrownBy(() -> cache.find(1)).isInstanceOf(NoMemory.class);
        assertThat(cache.stats().pinned()).isZero();
        cache.release(cache.findCached(1));

        expectThatWorkGoesOn();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void createdHolderWhoseLoadThePolicyCannotRecordExistsWithoutAPin(String name) throws IOException {
        open(name);
        throwsIn.set("onLoad");

        assertThatThrownBy(() -> cache.create(1, Counters.AS_STORED)).isInstanceOf(NoMemory.class);
        assertThat(cache.stats().pinned()).isZero();
        assertThatThrownBy(() -> cache.create(1, Counters.AS_STORED)).isInstanceOf(KeyExistsException.class);
        cache.release(cache.findCached(1));

        expectThatWorkGoesOn();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void victimThatCannotBeTakenBackIsNoLongerClaimed(String name) throws IOException {
        open(name);
        dirty(1);
        counters.on(Step.CLEAN, 1, () -> {
            throw new IOException("disk");
        });
        throwsIn.set("onDeclined");
        assertThatThrownBy(() -> cache.find(2)).isInstanceOf(NoMemory.class);

        counters.off(Step.CLEAN, 1);
        expectThatWorkGoesOn();
        assertThat(counters.stored(1)).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void removedHolderIsGoneEvenIfThePolicyFails(String name) throws IOException {
        open(name);
        Counter counter = cache.find(1);
        throwsIn.set("onRemove");

        assertThatThrownBy(() -> cache.remove(counter)).isInstanceOf(NoMemory.class);

        assertThat(cache.findCached(1)).isNull();
        expectThatWorkGoesOn();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void accessThatThePolicyCannotRecordLeavesNoPin(String name) throws IOException {
        open(name);
        cache.release(cache.find(1));
        throwsIn.set("onHit");
        if (policy.tracksAccesses()) {
            assertThatThrownBy(() -> cache.find(1)).isInstanceOf(NoMemory.class);
        } else {
            cache.release(cache.find(1));
            throwsIn.set(null);
        }

        assertThat(cache.stats().pinned()).isZero();
        expectThatWorkGoesOn();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyThatFailsInItsSearchLeavesNoFrameClaimed(String name) throws IOException {
        open(name);
        cache.release(cache.find(1));
        throwsIn.set("evict");

        assertThatThrownBy(() -> cache.find(2)).isInstanceOf(NoMemory.class);

        expectThatWorkGoesOn();
    }
}
