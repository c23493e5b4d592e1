// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The policy of a pool with one frame is switched while the former one is called. */
class PolicySwitchRaceTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int FRAME = 0;

    @RegisterExtension
    final Workers workers = new Workers();

    private final OneFrame former = new OneFrame();
    private final OneFrame next = new OneFrame();
    private final StubContents contents = new StubContents();
    private final StubPool pool = new StubPool(
            new PoolOptions("", 1, 1, true, LONG, "", IllegalStateException::new, LONG, (what, waited) -> {
                throw new AssertionError("waited for " + what);
            }),
            former,
            contents);

    /** Lists the frame or not. */
    private static final class OneFrame implements ReplacementPolicy {
        volatile boolean listed;
        volatile boolean called;
        /** Run by the next call of a kind. */
        Runnable beforeClaim = () -> {};

        Runnable afterLoad = () -> {};

        @Override
        public boolean tracksAccesses() {
            called = true;
            return true;
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            listed = true;
            afterLoad.run();
        }

        @Override
        public void onRemove(int frame) {
            listed = false;
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            beforeClaim.run();
            if (!listed || !claims.tryClaim(FRAME)) {
                return NONE;
            }
            listed = false;
            return FRAME;
        }

        @Override
        public void onCapacity(int frames) {}
    }

    private void load() {
        pool.publish(FRAME, 0, false);
        pool.unpin(FRAME);
    }

    @Test
    void frameThatTheFormerPolicyClaimsAfterTheSwitchLeavesTheNextOne() {
        StubBinding binding = new StubBinding();
        pool.admit(1, binding);
        load();
        former.beforeClaim = () -> pool.switchPolicy(next);

        assertThat(pool.admit(2, binding)).isEqualTo(FRAME);

        assertThat(next.listed)
                .as("the next policy lists a frame that was claimed")
                .isFalse();
        load();
        assertThat(next.listed).as("the next policy lists the frame").isTrue();
    }

    @Test
    void switchWaitsForAFrameThatIsBeingLoaded() {
        pool.admit(1, new StubBinding());
        List<Workers.Worker<Void>> switching = new ArrayList<>();
        former.afterLoad = () -> {
            switching.add(workers.run(() -> {
                pool.switchPolicy(next);
            }));
            Workers.await(() -> next.called, "the policy is not set");
            switching.get(0).awaitParkedOrDone();
        };

        load();

        switching.get(0).result();
        assertThat(next.listed).as("the next policy lists the frame").isTrue();
    }
}
