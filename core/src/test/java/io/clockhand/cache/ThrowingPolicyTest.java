// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An error inside the policy (memory that runs out, a stack that is too deep) leaves no frame behind that nobody owns. */
class ThrowingPolicyTest {
    private static final class NoMemory extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final Counters counters = new Counters();
    private final AtomicReference<String> throwsIn = new AtomicReference<>();
    private final HolderCache<Integer, Counter, IOException> cache =
            HolderCache.builder(counters).capacity(1).build(throwing(Policies.create("nb-gclock3", 1)));

    private ReplacementPolicy throwing(ReplacementPolicy policy) {
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

    private void dirty(int key) throws IOException {
        Counter counter = cache.find(key);
        counter.set(7);
        cache.release(counter);
    }

    private void expectThatWorkGoesOn() throws IOException {
        cache.release(cache.find(8));
        cache.release(cache.find(9));
        cache.checkIntegrity();
        assertThat(counters.violations).isEmpty();
    }

    @Test
    void holderWhoseLoadThePolicyRefusedIsClearedAndUnmapped() throws IOException {
        throwsIn.set("onLoad");

        assertThatThrownBy(() -> cache.find(1)).isInstanceOf(NoMemory.class);

        expectThatWorkGoesOn();
    }

    @Test
    void victimThatCannotBeTakenBackIsNoLongerClaimed() throws IOException {
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

    @Test
    void removedHolderIsGoneEvenIfThePolicyFails() throws IOException {
        Counter counter = cache.find(1);
        throwsIn.set("onRemove");

        assertThatThrownBy(() -> cache.remove(counter)).isInstanceOf(NoMemory.class);

        assertThat(cache.findCached(1)).isNull();
        expectThatWorkGoesOn();
    }
}
