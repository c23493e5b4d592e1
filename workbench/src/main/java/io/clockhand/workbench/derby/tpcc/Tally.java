// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Session.End;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The counts of one thread. Not thread-safe: one per thread, added up after its end. */
final class Tally {
    /**
     * In nanoseconds, by the names of transactions. A latency is known to one in a hundred: a third digit would cost
     * eight times the memory, which a thousand threads with five of these each would feel.
     */
    private final Map<String, Histogram> latencies = new TreeMap<>();

    private final Scale scale;
    /** The orders delivered since the load, by {@link Consistency#district}. */
    final int[] delivered;

    // Within the interval.
    long transactions;
    long retries;
    long errors;

    Tally(Scale scale) {
        this.scale = scale;
        delivered = new int[scale.allDistricts()];
    }

    void add(Transaction transaction, End end, int itsRetries, Interval interval, long mark, long nanos) {
        if (end == End.COMMITTED && transaction instanceof Delivery delivery) {
            addDelivered(delivery);
        }
        if (!interval.counts()) {
            return;
        }
        retries += itsRetries;
        if (end == End.GIVEN_UP) {
            errors++;
            return;
        }
        transactions++;
        if (interval.countsLatency(mark)) {
            histogram(transaction.name).recordValue(nanos);
        }
    }

    private Histogram histogram(String name) {
        return latencies.computeIfAbsent(name, absent -> new Histogram(2));
    }

    void addDelivered(Delivery delivery) {
        delivery.delivered.forEach(
                order -> delivered[Consistency.district(scale, order.warehouse(), order.district())]++);
    }

    void add(Tally other) {
        transactions += other.transactions;
        retries += other.retries;
        errors += other.errors;
        other.latencies.forEach((name, histogram) -> histogram(name).add(histogram));
        for (int district = 0; district < delivered.length; district++) {
            delivered[district] += other.delivered[district];
        }
    }

    Map<String, Percentiles> percentiles() {
        Map<String, Percentiles> all = new TreeMap<>();
        latencies.forEach((name, nanos) -> all.put(name, Percentiles.of(nanos)));
        return all;
    }
}
