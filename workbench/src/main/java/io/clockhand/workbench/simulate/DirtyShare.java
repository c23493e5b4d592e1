// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import io.clockhand.workbench.experiment.report.Figures;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Which references make their page dirty.
 *
 * @param percent the share of those that are drawn, from 0 to 100; null for those that a trace marks as writes
 */
record DirtyShare(Double percent) {
    static final DirtyShare NONE = new DirtyShare(0.0);
    static final DirtyShare OF_TRACE = new DirtyShare(null);

    /** The values of {@code --dirty-share}: a percentage, or the marks of the traces. */
    static final class Converter implements ITypeConverter<DirtyShare>, Labels {
        private static final String TRACE = "trace";
        private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}([.][0-9]{1,9})?");

        @Override
        public DirtyShare convert(String typed) {
            if (typed.equals(TRACE)) {
                return OF_TRACE;
            }
            if (!PERCENT.matcher(typed).matches() || Double.parseDouble(typed) > 100) {
                throw new TypeConversionException("must be percent from 0 to 100, or " + TRACE
                        + " for the references that a trace marks as writes, not '" + typed + "'");
            }
            return new DirtyShare(Double.valueOf(typed));
        }

        @Override
        public String label(Object value) {
            return value.toString();
        }
    }

    /** Whether the references are those that a trace marks. */
    boolean isOfTrace() {
        return percent == null;
    }

    /** Whether no page is ever dirty. */
    boolean isNone() {
        return !isOfTrace() && percent == 0;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return isOfTrace() ? Converter.TRACE : Figures.brief(percent);
    }
}
