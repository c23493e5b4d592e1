// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.options.Choice;

/** The values of an option {@code --caches}. */
final class CacheChoice extends Choice<String> {
    CacheChoice() {
        super("cache", Contender.possible(), name -> name);
    }
}
