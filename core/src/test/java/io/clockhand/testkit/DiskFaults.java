// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rules by which a {@link SimulatedDisk} injects faults, and how many it has injected.
 *
 * <p>Rules can be added, removed and switched off while threads use the disk. If several rules match a call, delays
 * add up, and the first rule that injects a failure decides which.
 *
 * <p>The n-th call that matches a rule meets the fault or not, depending on the seed of the disk and on n only. So one
 * thread that repeats its calls meets the same faults. With several threads the order of their calls decides which
 * thread meets them.
 *
 * <p>Thread-safe.
 */
public final class DiskFaults {
    private final long seed;
    private final DiskHistory history;
    private final List<ActiveRule> rules = new CopyOnWriteArrayList<>();
    private final AtomicInteger added = new AtomicInteger();
    /** Has each fault from the beginning on, so that threads can share it. */
    private final Map<DiskFault, AtomicLong> counts = new EnumMap<>(DiskFault.class);

    private volatile boolean isOn = true;

    /** A rule and how often it was used. */
    private static final class ActiveRule {
        final FaultRule rule;
        final int number;
        final AtomicLong calls = new AtomicLong();
        final AtomicLong faults = new AtomicLong();

        ActiveRule(FaultRule rule, int number) {
            this.rule = rule;
            this.number = number;
        }

        /** {@return random numbers for the fault, or null if this call meets none} */
        SplittableRandom next(long seed) {
            long earlier = calls.getAndIncrement();
            SplittableRandom random = Seeds.random(seed, number, earlier);
            if (rule.isSkipped(earlier) || random.nextDouble() >= rule.chance()) {
                return null;
            }
            return rule.isExhausted(faults.getAndIncrement()) ? null : random;
        }

        @Override
        public String toString() {
            return rule + " (" + calls + " calls matched)";
        }
    }

    DiskFaults(long seed, DiskHistory history) {
        this.seed = seed;
        this.history = history;
        for (DiskFault fault : DiskFault.values()) {
            counts.put(fault, new AtomicLong());
        }
    }

    /**
     * Adds a rule, which counts the calls from now on.
     *
     * @param rule the rule
     */
    public void add(FaultRule rule) {
        rules.add(new ActiveRule(rule, added.getAndIncrement()));
    }

    /** Removes all rules: the cause of the faults is gone. */
    public void clear() {
        rules.clear();
    }

    /** Injects no faults, and counts no calls, until {@link #on()}. */
    public void off() {
        isOn = false;
    }

    /** Injects faults again. A new disk does. */
    public void on() {
        isOn = true;
    }

    /**
     * {@return how many faults of a kind there were; a disk that is full counts as {@link DiskFault#NO_SPACE}}
     *
     * @param fault the kind
     */
    public long count(DiskFault fault) {
        return counts.get(fault).get();
    }

    /** Chooses the faults of a call. */
    Injection inject(DiskCall call) {
        if (!isOn || rules.isEmpty()) {
            return Injection.NONE;
        }
        Injection injection = Injection.NONE;
        for (ActiveRule active : rules) {
            DiskFault fault = active.rule.fault();
            boolean isDecided = fault.isFailure() && injection.failure() != null;
            SplittableRandom random = isDecided || !active.rule.matches(call) ? null : active.next(seed);
            if (random != null) {
                injection = injection.with(active.rule, random);
                count(fault, call);
            }
        }
        return injection;
    }

    /** Counts a fault. */
    void count(DiskFault fault, DiskCall call) {
        counts.get(fault).incrementAndGet();
        history.add(fault + " at the " + call);
    }

    /** The rules, for messages. */
    @Override
    public String toString() {
        return (isOn ? "" : "switched off: ") + rules;
    }
}
