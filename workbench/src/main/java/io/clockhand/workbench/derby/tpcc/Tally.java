// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.derby.tpcc.Session.Outcome;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The counts of one thread within the interval. Not thread-safe: one per thread, added up at the end. */
final class Tally {
    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
    /**
     * A latency is known to one in a hundred: a third digit would cost eight times the memory, which a thousand
     * threads with five of these each would feel.
     */
    private static final int DIGITS = 2;

    private final Map<Kind, Histogram> latencies = new EnumMap<>(Kind.class);
    private long newOrders;
    private long transactions;
    private long retries;
    private long errors;

    Tally() {
        for (Kind kind : Kind.values()) {
            latencies.put(kind, new Histogram(DIGITS));
        }
    }

    void add(Kind kind, Outcome outcome) {
        retries += outcome.retries();
        if (outcome.end() == End.GIVEN_UP) {
            errors++;
            return;
        }
        transactions++;
        if (kind == Kind.NEW_ORDER && outcome.end() == End.COMMITTED) {
            newOrders++;
        }
    }

    /** Of a transaction that was not given up. */
    void addLatency(Kind kind, Outcome outcome, long nanos) {
        if (outcome.end() != End.GIVEN_UP) {
            latencies.get(kind).recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), LONGEST_MICROS));
        }
    }

    void addFailure() {
        errors++;
    }

    void add(Tally other) {
        newOrders += other.newOrders;
        transactions += other.transactions;
        retries += other.retries;
        errors += other.errors;
        latencies.forEach((kind, histogram) -> histogram.add(other.latencies.get(kind)));
    }

    long newOrders() {
        return newOrders;
    }

    long transactions() {
        return transactions;
    }

    long retries() {
        return retries;
    }

    long errors() {
        return errors;
    }

    /** By the names of {@code tpcc.json}; null for a kind that never came. */
    Map<String, RunAnswer.Percentiles> percentiles() {
        Map<String, RunAnswer.Percentiles> all = new LinkedHashMap<>();
        latencies.forEach((kind, histogram) -> all.put(
                kind.jsonName(),
                histogram.getTotalCount() == 0
                        ? null
                        : new RunAnswer.Percentiles(
                                histogram.getValueAtPercentile(50),
                                histogram.getValueAtPercentile(95),
                                histogram.getValueAtPercentile(99))));
        return all;
    }
}
