// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time per operation, of all threads of the JVM together. It does not include time that other processes took,
 * so on a shared machine it is more reliable than the throughput.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar KeyTableKind -prof io.clockhand.jmh.CpuTimeProfiler}</pre>
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long cpuNanosBefore;

    @Override
    public String getDescription() {
        return "Processor time per operation, of all threads of the JVM";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        cpuNanosBefore = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long cpuNanos = system.getProcessCpuTime() - cpuNanosBefore;
        long operations = result.getMetadata().getAllOps();
        return operations == 0
                ? List.of()
                : List.of(new ScalarResult("cpu", (double) cpuNanos / operations, "ns/op", AggregationPolicy.AVG));
    }
}
