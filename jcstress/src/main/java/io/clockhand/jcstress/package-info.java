// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Protocols of core under jcstress, one class each. Each test runs core's own classes and must hold: it fails if a
 * forbidden state is seen. That it sees the faults that it is for is shown by {@code faults/run --stress}, which plants
 * them in core; many faults of these protocols are seen by a unit test already.
 *
 * <p>{@code jcstress/run EvictedFrameTest} runs one test.
 */
package io.clockhand.jcstress;
