// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.cache.StubPools;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors in any step of a miss, and of the life of a frame: none is lost, none is free while it is mapped. */
class FramePoolFailuresTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StubContents contents = new StubContents();

    enum Step {
        MAP,
        UNMAP
    }

    /** Fails with an error, as when memory runs out, in one step. */
    private static final class Failing extends StubBinding {
        private final Step step;

        Failing(Step step) {
            this.step = step;
        }

        private void at(Step now) {
            if (now == step) {
                throw new OutOfMemoryError("in " + step);
            }
        }

        @Override
        public boolean map(int frame) {
            at(Step.MAP);
            return step != Step.UNMAP;
        }

        @Override
        public void unmap(int frame) {
            at(Step.UNMAP);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, mode = EnumSource.Mode.EXCLUDE, names = "UNMAP") // see PoolFailureTest
    void errorInAnyStepOfAMissLosesNoFrame(Step step) {
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, contents);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pool.admit(1, new Failing(step))).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();
        assertThat(new StubBinding().load(pool, 1)).isZero();
    }

    @Test
    void failureToBindAFrameLosesNoFrame() {
        StubPool pool = new StubPool(StubPools.options(1, 1), Policies.create("nb-gclock3", 1), contents, 0);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pool.admit(1, new StubBinding())).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(FrameState.isFree(pool.state(0))).isTrue();
        pool.checkFreeFrames();

        pool.letFramesBeBound();

        assertThat(new StubBinding().load(pool, 1)).isZero();
    }

    @Test
    void contentWhoseLoadThePolicyCannotRecordIsPublishedAllTheSame() {
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create("lru", 1)) {
            @Override
            public void onLoad(int frame, long identity, int generation) {
                throw new OutOfMemoryError("onLoad");
            }
        };
        StubPool pool = new StubPool(StubPools.options(1, 1), policy, contents);
        int frame = pool.admit(1, new StubBinding());

        assertThatThrownBy(() -> pool.publish(frame, 1, false)).hasMessage("onLoad");

        assertThat(pool.awaitReady(frame)).isTrue();
        assertThat(FrameState.pins(pool.state(frame))).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void policyThatThrowsAfterItsClaimLeavesNoFrameClaimed(String name) {
        boolean[] fails = {false};
        ReplacementPolicy policy = new ForwardingPolicy(Policies.create(name, 1)) {
            @Override
            public int evict(long identity, Claims claims) {
                int frame = super.evict(identity, claims);
                if (fails[0] && frame != NONE) {
                    throw new OutOfMemoryError("evict");
                }
                return frame;
            }
        };
        StubPool pool = new StubPool(StubPools.options(1, 1), policy, contents);
        pool.unpin(new StubBinding().load(pool, 1));
        fails[0] = true;

        assertThatThrownBy(() -> new StubBinding().load(pool, 2)).hasMessage("evict");

        assertThat(FrameState.isClaimed(pool.state(0))).isFalse();
        fails[0] = false;
        assertThat(new StubBinding().load(pool, 2)).isZero();
    }

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void errorInADirtyCheckOrAWriteBackOrAnEvictionLosesNoFrame(String policy) {
        String[] failing = {""};
        StubContents hostile = new StubContents() {
            private void at(String step) {
                if (failing[0].equals(step)) {
                    throw new OutOfMemoryError(step);
                }
            }

            @Override
            public boolean isDirty(int frame) {
                at("isDirty");
                return super.isDirty(frame);
            }

            @Override
            public void clean(int frame) {
                at("clean");
                super.clean(frame);
            }

            @Override
            public void clear(int frame) {
                at("clear");
                super.clear(frame);
            }
        };
        StubPool pool = StubPools.create(policy, 2, 2, hostile);
        for (String step : new String[] {"isDirty", "clean", "clear"}) {
            while (!bothLoaded(pool)) {
                pool.unpin(new StubBinding().load(pool, 1));
            }
            hostile.dirty.add(0);
            hostile.dirty.add(1);
            failing[0] = step;
            assertThatThrownBy(() -> new StubBinding().load(pool, 2)).hasMessage(step);
            failing[0] = "";
            pool.checkFreeFrames();
        }

        for (int i = 0; i < 6; i++) {
            pool.unpin(new StubBinding().load(pool, 3));
        }
        assertThat(bothLoaded(pool)).isTrue();
    }

    private static boolean bothLoaded(StubPool pool) {
        return FrameState.content(pool.state(0)) == FrameState.READY
                && FrameState.content(pool.state(1)) == FrameState.READY;
    }

    @Test
    void frameWhoseContentCannotBeClearedIsUnmappedThenFree() {
        List<String> steps = new ArrayList<>();
        List<StubPool> pools = new ArrayList<>();
        StubContents failing = new StubContents() {
            @Override
            public void clear(int frame) {
                throw new UnsupportedOperationException("clear");
            }

            @Override
            public void unmap(int frame) {
                steps.add("unmapped, free: " + FrameState.isFree(pools.get(0).state(frame)));
            }
        };
        StubPool pool = StubPools.create("nb-gclock3", 1, 1, failing);
        pools.add(pool);
        pool.unpin(new StubBinding().load(pool, 1));

        assertThatThrownBy(() -> new StubBinding().load(pool, 2)).hasMessage("clear");

        assertThat(steps).as("steps after the failure").containsExactly("unmapped, free: false");
        assertThat(FrameState.isFree(pool.state(0))).as("the frame is free").isTrue();
        pool.checkFreeFrames();
        assertThat(new StubBinding().load(pool, 3)).isZero();
    }
}
