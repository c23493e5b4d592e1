// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

/**
 * Recognizes the methods of Derby from which a cache is called.
 *
 * <p>Derby finds an allocation page while it holds the monitor of its container's allocation cache. If a write under
 * this monitor finds that an interrupt has closed the file, Derby does not retry the write but shuts the database down;
 * the same happens with its own cache. So no victim may be written under this monitor.
 */
final class DerbyCallers {
    static final String ALLOCATION_CLASS = "org.apache.derby.impl.store.raw.data.FileContainer";
    static final String ALLOCATION_METHOD = "getAllocPage";

    /** More than the number of this module's stack frames between Derby's call and this check. */
    private static final int DEPTH = 24;

    private static final StackWalker STACK = StackWalker.getInstance();

    private DerbyCallers() {}

    /** {@return whether Derby called to find an allocation page} Walks the stack, which takes microseconds. */
    static boolean holdAllocationMonitor() {
        return include(ALLOCATION_CLASS, ALLOCATION_METHOD);
    }

    /** {@return whether the method is among the callers} */
    static boolean include(String className, String method) {
        return STACK.walk(callers -> callers.limit(DEPTH)
                .anyMatch(caller -> caller.getMethodName().equals(method)
                        && caller.getClassName().equals(className)));
    }
}
