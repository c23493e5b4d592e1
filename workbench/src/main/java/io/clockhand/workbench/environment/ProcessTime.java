// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The time of the processors that this JVM has used. */
public final class ProcessTime {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessTime() {}

    /** {@return nanoseconds of all processors and threads, since the JVM was started} */
    public static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
