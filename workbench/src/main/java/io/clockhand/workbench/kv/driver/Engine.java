// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.options.Choice;
import java.util.List;
import java.util.Locale;

/** The engines. */
public enum Engine {
    /** The example on the page pool. */
    EXAMPLE,
    /** TuplDB. */
    TUPL,
    /** H2's MVStore. */
    MVSTORE,
    /** JetBrains Xodus. */
    XODUS;

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The values of {@code --engines}. */
    public static final class Names extends Choice<Engine> {
        public Names() {
            super("engine", List.of(values()), Engine::toString);
        }
    }
}
