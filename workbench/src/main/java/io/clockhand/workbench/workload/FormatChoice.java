// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.experiment.options.Choice;
import java.util.Arrays;
import java.util.stream.Stream;

/** The values of an option for the format of traces: one of them, or {@link #AUTO} to find out. */
public final class FormatChoice extends Choice<String> {
    public static final String AUTO = "auto";

    public FormatChoice() {
        super(
                "format",
                Stream.concat(Stream.of(AUTO), TraceFormat.labels(format -> true).stream())
                        .toList(),
                name -> name);
    }

    /** Null for {@link #AUTO}. */
    public static TraceFormat format(String name) {
        return Arrays.stream(TraceFormat.values())
                .filter(format -> format.label().equals(name))
                .findFirst()
                .orElse(null);
    }
}
