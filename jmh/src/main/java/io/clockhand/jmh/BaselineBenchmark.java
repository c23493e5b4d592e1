// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import org.openjdk.jmh.annotations.Benchmark;

/** What the harness itself costs: the floor under every other figure. */
public class BaselineBenchmark {
    @Benchmark
    public void nothing() {}
}
