// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The protocols of core under jcstress, one class each, and next to each its broken twins.
 *
 * <p>{@code XxxTest} runs the classes of core and must pass. {@code XxxBrokenTest} runs a small copy of the protocol
 * with one step done wrong, and must fail: it shows that the test can see the fault. {@code XxxCopyTest} runs the same
 * copy with no step done wrong, and must pass: it shows that the twin fails for that step and for nothing else.
 *
 * <p>{@code java -jar jcstress/target/jcstress.jar -m quick -t 'io.clockhand.jcstress.EvictedFrame'} runs one family;
 * exit code 1 means that a forbidden outcome was seen.
 */
package io.clockhand.jcstress;
