// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many frames a pool has: a number, or a share of the pages of a trace.
 *
 * @param count null for a share
 * @param percent of the pages; null for a number
 */
record FrameCount(Integer count, Double percent) {
    /** From half a percent, in steps of about the square root of 2. */
    static final List<FrameCount> CURVE = shares(0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 22, 32, 45, 64, 80, 100);

    private static final int MOST = 1 << 26;
    private static final double HUNDRED = 100;
    private static final String RANGE =
            "must lie in 1 … " + MOST + ", or be a share of the pages over 0% and up to 100%";

    /** The values of {@code --frames}. */
    static final class Converter implements ITypeConverter<FrameCount>, Labels {
        private static final Pattern COUNT = Pattern.compile("[0-9]{1,8}");
        private static final Pattern SHARE = Pattern.compile("[0-9]{1,3}([.][0-9]{1,9})?%");

        @Override
        public FrameCount convert(String typed) {
            if (COUNT.matcher(typed).matches()) {
                return new FrameCount(Integer.valueOf(typed), null);
            }
            if (SHARE.matcher(typed).matches()) {
                return new FrameCount(null, Double.valueOf(typed.substring(0, typed.length() - 1)));
            }
            throw new TypeConversionException(RANGE + ", not '" + typed + "'");
        }

        @Override
        public String label(Object value) {
            return value.toString();
        }
    }

    static void check(Usage usage, List<FrameCount> frames) {
        usage.require(frames.stream().allMatch(FrameCount::isPossible), "--frames " + RANGE);
        usage.requireOnce("--frames", "a number", frames);
    }

    private boolean isPossible() {
        return count != null ? count >= 1 && count <= MOST : percent > 0 && percent <= HUNDRED;
    }

    static List<FrameCount> counts(int... counts) {
        return Arrays.stream(counts)
                .mapToObj(count -> new FrameCount(count, null))
                .toList();
    }

    private static List<FrameCount> shares(double... percents) {
        return Arrays.stream(percents)
                .mapToObj(percent -> new FrameCount(null, percent))
                .toList();
    }

    /** The nearest number of frames, at least one. */
    int of(int pages) {
        return count != null ? count : (int) Math.max(1, Math.round(percent / HUNDRED * pages));
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return count != null ? count.toString() : Figures.brief(percent) + "%";
    }
}
