// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

/**
 * What Derby is about when it calls a cache.
 *
 * <p>Derby looks an allocation page up while it holds the monitor of its container's allocation cache. A write that is made under this
 * monitor, and meets a file that an interrupt has closed, is not tried again but fails, and Derby shuts the database down for it: with
 * its own cache, too. So no victim may be written there.
 */
final class DerbyCallers {
    static final String ALLOCATION_CLASS = "org.apache.derby.impl.store.raw.data.FileContainer";
    static final String ALLOCATION_METHOD = "getAllocPage";

    /** Steps of ours between Derby's call and the question, and some to spare. */
    private static final int DEPTH = 24;

    private static final StackWalker STACK = StackWalker.getInstance();

    private DerbyCallers() {}

    /** {@return whether the call that this thread is in was made to find an allocation page} A walk over the stack, in microseconds. */
    static boolean holdAllocationMonitor() {
        return STACK.walk(callers -> callers.limit(DEPTH)
                .anyMatch(caller -> caller.getMethodName().equals(ALLOCATION_METHOD)
                        && caller.getClassName().equals(ALLOCATION_CLASS)));
    }
}
