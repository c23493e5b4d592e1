// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.environment.Child;

/** The child JVM of one run. */
public final class RunChild {
    private RunChild() {}

    public static void main(String[] arguments) {
        Child.serve(
                arguments,
                RunOrder.class,
                order -> new Trial(order, fraction -> Child.progress(fraction, "updated")).run());
    }
}
