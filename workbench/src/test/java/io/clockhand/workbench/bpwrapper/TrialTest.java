// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.bpwrapper.BpWrapper.Setting;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer.Counted;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.driver.Counting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs in the JVM of the test. */
class TrialTest {
    private static final int ACCESSES = 64_000;

    private static Counted counted(Form form, String policy, double missPercent, int threads) throws Exception {
        Setting setting = new Setting(policy, threads, References.DBT2, missPercent);
        Trial order = new Trial(new Contender(form, 64, 32), setting, 1, null, new Counting(6_400, ACCESSES), true);
        RunAnswer answer = order.perform(fraction -> assertThat(fraction).isBetween(0.0, 1.0));
        assertThat(answer.allHolds()).isTrue();
        assertThat(answer.timed()).isNull();
        assertThat(answer.counted().accesses()).isEqualTo(ACCESSES);
        return answer.counted();
    }

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "PREFETCH", "SPIN"})
    void lockIsTakenForEachHitUnlessHitsAreBatched(Form form) throws Exception {
        Counted counted = counted(form, "2q", 0, 3);

        assertThat(counted.misses()).isZero();
        assertThat(counted.lockAcquisitions()).isEqualTo(ACCESSES);
        assertThat(counted.recordedHits()).isEqualTo(ACCESSES);
    }

    @ParameterizedTest
    @CsvSource({"BATCH, 1", "BOTH, 1", "MODERN, 1", "BATCH, 3", "BOTH, 3", "MODERN, 3"})
    void lockIsTakenForThirtyHitsIfHitsAreBatched(Form form, int threads) throws Exception {
        Counted counted = counted(form, "2q", 0, threads);

        assertThat(counted.misses()).isZero();
        assertThat(counted.lockAcquisitions()).isPositive().isLessThanOrEqualTo(ACCESSES / 30);
        assertThat(counted.recordedHits()).isPositive().isLessThan(ACCESSES + 64L * threads);
    }

    @Test
    void everyMissTakesTheLock() throws Exception {
        Counted counted = counted(Form.BOTH, "2q", 50, 2);

        assertThat(counted.hitRatio()).isBetween(0.3, 0.51);
        assertThat(counted.lockAcquisitions()).isGreaterThan(ACCESSES * 9 / 10);
    }

    @ParameterizedTest
    @EnumSource
    void oneThreadCountsTheSameEveryTimeAndIsNeverContended(Form form) throws Exception {
        Counted counted = counted(form, "lru", 10, 1);

        assertThat(counted(form, "lru", 10, 1)).isEqualTo(counted);
        assertThat(counted.misses() / (double) ACCESSES).isBetween(0.09, 0.15);
        assertThat(counted.recordedHits()).isBetween(counted.hits() - 64, counted.hits() + 64);
        assertThat(counted.contentions()).isZero();
        assertThat(counted.failedTries()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.clockhand.workbench.bpwrapper.Form#policies")
    void bpWrapperAsPublishedChangesNoHit(String policy) throws Exception {
        assertThat(counted(Form.BOTH, policy, 40, 1).hits())
                .isEqualTo(counted(Form.PLAIN, policy, 40, 1).hits());
    }

    @Test
    void policiesAreThoseThatCanBeWrapped() {
        assertThat(Form.policies()).contains("lru", "2q", "lirs", "mq").doesNotContain("nb-gclock", "clock");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void timedRunOfEachFormMeasuresThroughputUnderTheLockOfProduction(Form form) throws Exception {
        Setting setting = new Setting("lru", 2, References.TABLE_SCAN, 20);
        Trial order = new Trial(new Contender(form, 64, 32), setting, 1, Timing.alone(0, 1), null, false);

        RunAnswer answer = order.perform(fraction -> {});

        Timed timed = answer.timed();
        assertThat(timed.operationsPerSecond()).as("after a second or more").isBetween(0.0, timed.accesses() * 1.0);
        assertThat(answer.counted()).isNull();
        assertThat(answer.allHolds()).isTrue();
    }
}
