// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.PolicyNames;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values of {@code --policies}: any policy, with parameters or without, the optimum, or all; the help lists no
 * forms of one policy.
 */
final class PolicyChoice extends PolicyNames {

    PolicyChoice() {
        super(withAll(Settings.knownPolicies()));
    }

    private static List<String> withAll(List<String> names) {
        return Stream.concat(names.stream(), Stream.of(Settings.ALL)).toList();
    }
}
