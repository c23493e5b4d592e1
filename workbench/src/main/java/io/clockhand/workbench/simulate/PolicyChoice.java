// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.Choice;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The values of {@code --policies}: any policy, the optimum, or all; the help lists no forms of one policy. */
final class PolicyChoice extends Choice<String> {

    PolicyChoice() {
        super("policy", withAll(Settings.knownPolicies()), name -> name);
    }

    private static List<String> withAll(List<String> names) {
        return Stream.concat(names.stream(), Stream.of(Settings.ALL)).toList();
    }

    @Override
    public Iterator<String> iterator() {
        return withAll(Settings.allPolicies()).iterator();
    }
}
