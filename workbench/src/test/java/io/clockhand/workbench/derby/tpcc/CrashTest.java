// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A JVM is killed during TPC-C, or during the recovery from that. Afterwards all transactions that it reported as
 * committed are there, the twelve conditions hold, and every index agrees with its table.
 */
@Timeout(600)
class CrashTest {
    private static final Contender DERBY = Contender.of(Contender.DERBY);
    private static final int SMALL_POOL_PERCENT = 6;
    private static final int LARGE_POOL_PERCENT = 40;
    /** The checkpoint that concludes recovery writes all pages back twice. */
    private static final int STEPS_OF_CHECKPOINT = 4;
    /** "Failed to start database". */
    private static final String CANNOT_START = "SQLState XJ040";
    /** "Either there are log records of this page missing, or this page did not get written out". */
    private static final String NOT_WRITTEN = "XSDB4";

    private static CrashSite loaded;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path homes;

    @BeforeAll
    static void load(@TempDir Path home) throws IOException {
        loaded = CrashSite.loaded(home);
    }

    @Test
    void committedTransactionsSurviveACrash() throws Exception {
        CrashSite site = loaded.copy(homes.resolve("crashed"), poolPercent(1));
        List<String> receipts = crash(site, clockhand(1), null, new Random(1), 1);
        assertSound(site, clockhand(1), 1, receipts);
    }

    @Tag("ci")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void committedTransactionsSurviveCrashes(long seed) throws Exception {
        crashAndRecover(clockhand(seed), seed, 1);
    }

    @Tag("nightly")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 4, 5, 6, 7, 8, 9, 10})
    void committedTransactionsSurviveMoreCrashes(long seed) throws Exception {
        crashAndRecover(clockhand(seed), seed, 3);
    }

    @Tag("nightly")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void transactionsCommittedOnDerbysOwnCacheSurviveOnClockhand(long seed) throws Exception {
        crashAndRecover(DERBY, seed, 1);
    }

    /** Each policy has its turn. */
    private static Contender clockhand(long seed) {
        List<String> policies =
                Policies.names().stream().filter(name -> !name.contains(":")).toList();
        return Contender.of(policies.get((int) (seed % policies.size())));
    }

    /** Out of a small pool dirty pages are evicted all the time; in a larger one they stay for the checkpoint. */
    private static int poolPercent(long seed) {
        return seed % 2 == 0 ? LARGE_POOL_PERCENT : SMALL_POOL_PERCENT;
    }

    private void crashAndRecover(Contender crashed, long seed, int crashesOfRecovery) throws Exception {
        Random random = new Random(seed);
        Contender clockhand = clockhand(seed);
        CrashSite site = loaded.copy(homes.resolve("crashed"), poolPercent(seed));
        List<String> receipts = crash(site, crashed, null, random, seed);

        CrashSite again = site.copy(homes.resolve("crashed-again"));
        assertSoundOnBoth(site, clockhand, seed, receipts);
        for (int i = 0; i < crashesOfRecovery; i++) {
            crashInRecovery(again, clockhand, random);
        }
        assertSoundOnBoth(again, clockhand, seed, receipts);
    }

    @Tag("ci")
    @Test
    void pagesThatCheckpointForgetsAreNoticed() throws Exception {
        long seed = 2;
        Contender clockhand = Contender.of("gclock"); // fifo would evict and write the forgotten pages
        CrashSite site = loaded.copy(homes.resolve("forgetful"), LARGE_POOL_PERCENT);
        List<String> receipts = crash(site, clockhand, ForgetfulCacheFactory.class.getName(), new Random(seed), seed);

        List<String> damage;
        try {
            damage = site.recover(clockhand, seed, receipts).damage();
        } catch (CommandFailure failure) {
            assertThat(failure).hasMessageContaining(CANNOT_START);
            assertThat(site.log()).content().contains(NOT_WRITTEN);
            damage = List.of(failure.getMessage());
        }
        assertThat(damage).isNotEmpty();
    }

    /** The transactions that a JVM reported as committed before it was killed. */
    private static List<String> crash(CrashSite site, Contender cache, String factory, Random random, long seed)
            throws Exception {
        AtomicInteger left = new AtomicInteger(250 + random.nextInt(400));
        List<String> receipts =
                site.crash(cache, factory, seed, line -> left.decrementAndGet() == 0, random.nextInt(5_000));
        assertThat(site.firstLogFile()).as("checkpoints were taken").isGreaterThan(loaded.firstLogFile() + 1);
        return receipts;
    }

    /** How many steps recovery takes is tried on a copy. */
    private void crashInRecovery(CrashSite site, Contender clockhand, Random random) throws Exception {
        CrashSite trial = site.copy(homes.resolve("trial"));
        String end = trial.crashInRecovery(clockhand, Integer.MAX_VALUE);
        assertThat(end).startsWith(StallingCacheFactory.RECOVERED);
        int steps = Integer.parseInt(end.substring(StallingCacheFactory.RECOVERED.length()));

        int step = random.nextInt(3) == 0 ? steps - random.nextInt(STEPS_OF_CHECKPOINT) : 1 + random.nextInt(steps);
        assertThat(site.crashInRecovery(clockhand, step)).isEqualTo(StallingCacheFactory.REACHED + step);
    }

    /** Recovers with Clockhand and, from a copy of the same files, with Derby's own cache, at the same time. */
    private void assertSoundOnBoth(CrashSite site, Contender clockhand, long seed, List<String> receipts)
            throws Exception {
        CrashSite copy = site.copy(homes.resolve("on-derby"));
        CompletableFuture<Void> onDerby = CompletableFuture.runAsync(() -> assertSound(copy, DERBY, seed, receipts));
        try {
            assertSound(site, clockhand, seed, receipts);
        } finally {
            onDerby.join();
        }
    }

    private static void assertSound(CrashSite site, Contender cache, long seed, List<String> receipts) {
        CrashRun.Answer answer = site.recover(cache, seed, receipts);
        assertThat(answer.damage()).as("on " + cache.name()).isEmpty();
        assertThat(answer.receipts()).isGreaterThan(receipts.size());
    }
}
