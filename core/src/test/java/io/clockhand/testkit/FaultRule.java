// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.testkit.DiskCall.Operation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * States which calls of a {@link SimulatedDisk} meet a fault. Without restrictions, each call that the fault can hit
 * does. For instance, the third write to the file "log" fails, and only that one:
 *
 * <pre>{@code
 * disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).in("log").skip(2).times(1));
 * }</pre>
 *
 * <p>Immutable: each method returns a new rule with one more restriction.
 */
public final class FaultRule {
    private static final long ANYWHERE = -1;

    private final DiskFault fault;
    private final Set<Operation> operations;
    /** Null for any file. */
    private final String file;

    private final long position;
    private final long skip;
    private final long times;
    private final double chance;
    private final Duration delay;

    private FaultRule(
            DiskFault fault,
            Set<Operation> operations,
            String file,
            long position,
            long skip,
            long times,
            double chance,
            Duration delay) {
        this.fault = fault;
        this.operations = operations;
        this.file = file;
        this.position = position;
        this.skip = skip;
        this.times = times;
        this.chance = chance;
        this.delay = delay;
    }

    /**
     * Makes a rule that injects a fault into each call that it can hit.
     *
     * @param fault the fault; for {@link DiskFault#DELAY} use {@link #delay}
     * @return the rule
     */
    public static FaultRule of(DiskFault fault) {
        if (fault == DiskFault.DELAY) {
            throw new IllegalArgumentException("the length of the delay is missing: use FaultRule.delay");
        }
        return new FaultRule(fault, fault.operations(), null, ANYWHERE, 0, Long.MAX_VALUE, 1, Duration.ZERO);
    }

    /**
     * Makes a rule that delays each call.
     *
     * @param delay how much longer the call takes
     * @return the rule
     */
    public static FaultRule delay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("the delay is " + delay + "; it cannot be negative");
        }
        Set<Operation> all = DiskFault.DELAY.operations();
        return new FaultRule(DiskFault.DELAY, all, null, ANYWHERE, 0, Long.MAX_VALUE, 1, delay);
    }

    /**
     * Restricts the rule to operations.
     *
     * @param first an operation that the fault can hit
     * @param others further ones
     * @return the rule
     */
    public FaultRule on(Operation first, Operation... others) {
        Set<Operation> chosen = EnumSet.of(first, others);
        if (!fault.operations().containsAll(chosen)) {
            throw new IllegalArgumentException(fault + " hits " + fault.operations() + " only, not " + chosen);
        }
        return new FaultRule(fault, chosen, file, position, skip, times, chance, delay);
    }

    /**
     * Restricts the rule to one file.
     *
     * @param name the name of the file
     * @return the rule
     */
    public FaultRule in(String name) {
        return new FaultRule(fault, operations, name, position, skip, times, chance, delay);
    }

    /**
     * Restricts the rule to reads and writes that transfer the byte at a position.
     *
     * @param offset the position in bytes; for page {@code n} of a page store {@code n * pageBytes}
     * @return the rule
     */
    public FaultRule at(long offset) {
        checkNotNegative("position", offset);
        return new FaultRule(fault, operations, file, offset, skip, times, chance, delay);
    }

    /**
     * Skips the first calls that match the other restrictions, counted since the rule was added.
     *
     * @param calls the number of calls
     * @return the rule
     */
    public FaultRule skip(long calls) {
        checkNotNegative("number of calls to skip", calls);
        return new FaultRule(fault, operations, file, position, calls, times, chance, delay);
    }

    /**
     * Limits the number of faults that the rule injects.
     *
     * @param faults the greatest number
     * @return the rule
     */
    public FaultRule times(long faults) {
        checkNotNegative("number of faults", faults);
        return new FaultRule(fault, operations, file, position, skip, faults, chance, delay);
    }

    /**
     * Injects the fault by chance: the seed of the disk decides for each matching call.
     *
     * @param probability from 0 (never) to 1 (always)
     * @return the rule
     */
    public FaultRule chance(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("the chance is " + probability + "; it must lie between 0 and 1");
        }
        return new FaultRule(fault, operations, file, position, skip, times, probability, delay);
    }

    private static void checkNotNegative(String what, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("the " + what + " is " + value + "; it cannot be negative");
        }
    }

    DiskFault fault() {
        return fault;
    }

    Duration delay() {
        return delay;
    }

    double chance() {
        return chance;
    }

    boolean matches(DiskCall call) {
        return operations.contains(call.operation())
                && (file == null || file.equals(call.file()))
                && (position == ANYWHERE || call.touches(position))
                && fault.canHit(call);
    }

    boolean isSkipped(long earlierCalls) {
        return earlierCalls < skip;
    }

    boolean isExhausted(long earlierFaults) {
        return earlierFaults >= times;
    }

    /** For messages. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(fault.toString());
        if (fault == DiskFault.DELAY) {
            text.append(" of ").append(delay);
        }
        if (!operations.equals(fault.operations())) {
            text.append(" on ").append(operations);
        }
        if (file != null) {
            text.append(" in ").append(file);
        }
        if (position != ANYWHERE) {
            text.append(" at byte ").append(position);
        }
        if (skip > 0) {
            text.append(", after ").append(skip).append(" calls");
        }
        if (times < Long.MAX_VALUE) {
            text.append(", at most ").append(times).append(" times");
        }
        if (chance < 1) {
            text.append(", with a chance of ").append(chance);
        }
        return text.toString();
    }
}
