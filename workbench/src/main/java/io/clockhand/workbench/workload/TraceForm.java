// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.experiment.options.EnumNames;

/**
 * How a trace was read.
 *
 * @param evidence why it was taken for that format
 */
public record TraceForm(TraceFormat format, Evidence evidence) {

    /** The reason for a format. */
    public enum Evidence {
        OPTION("as stated"),
        NAME("after its name"),
        CONTENT("after its first lines");

        private final String words;

        Evidence(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /** {@code lirs, after its first lines}. */
    @Override
    public String toString() {
        return format.label() + ", " + evidence.words;
    }
}
