// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

/** Measure the throughput and the latencies, with statistics off. */
public record Timing(int warmupSeconds, int seconds) {}
