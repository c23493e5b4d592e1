// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.SplittableRandom;

/**
 * The faults of one call.
 *
 * @param delayNanos how much longer it takes
 * @param isInterrupting whether its thread is interrupted
 * @param failure how it fails; null if it does not
 * @param random random numbers for the failure
 */
record Injection(long delayNanos, boolean isInterrupting, DiskFault failure, SplittableRandom random) {
    static final Injection NONE = new Injection(0, false, null, null);

    Injection with(FaultRule rule, SplittableRandom numbers) {
        return switch (rule.fault()) {
            case DELAY -> new Injection(delayNanos + rule.delay().toNanos(), isInterrupting, failure, random);
            case INTERRUPT -> new Injection(delayNanos, true, failure, random);
            default -> new Injection(delayNanos, isInterrupting, rule.fault(), numbers);
        };
    }

    boolean is(DiskFault fault) {
        return failure == fault;
    }

    /** {@return how many bytes a short transfer has: at least one, and not all} */
    int shorter(int bytes) {
        return 1 + random.nextInt(bytes - 1);
    }

    /** {@return which sectors a torn write has written: if there are several, at least one, and not all} */
    boolean[] torn(int sectors) {
        boolean[] written = new boolean[sectors];
        if (sectors > 1) {
            for (int sector = 0; sector < sectors; sector++) {
                written[sector] = random.nextBoolean();
            }
            int any = random.nextInt(sectors);
            written[any] = true;
            written[(any + 1) % sectors] = false;
        }
        return written;
    }
}
