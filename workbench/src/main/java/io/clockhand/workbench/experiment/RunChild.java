// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.environment.Child;

/** The child JVM of every run of every experiment. */
public final class RunChild {
    private RunChild() {}

    public static void main(String[] arguments) {
        Child.serve(arguments, Order.class, order -> order.perform(fraction -> Child.progress(fraction, "performed")));
    }
}
