// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.math.BigDecimal;

/**
 * A number that a policy's name may set, as in {@code 2q(in=0.3)}.
 *
 * @param name as it is written, in small letters
 * @param meaning what it counts, and its unit
 * @param whole whether only whole numbers are possible
 * @param least the least value that is possible
 * @param most the greatest value that is possible
 * @param usual the value if the name does not set it
 */
record PolicyParameter(String name, String meaning, boolean whole, double least, double most, double usual) {

    /** {@return a parameter that is a fraction, or a factor} */
    static PolicyParameter fraction(String name, String meaning, double least, double most, double usual) {
        return new PolicyParameter(name, meaning, false, least, most, usual);
    }

    /** {@return a parameter that is a count} */
    static PolicyParameter count(String name, String meaning, int least, int most, int usual) {
        return new PolicyParameter(name, meaning, true, least, most, usual);
    }

    /** {@return a fraction of the frames, as a number of them, rounded down} */
    static int of(int frames, double fraction) {
        // so little is added that only what a double cannot express is rounded up, such as 0.29 times 100
        return (int) (frames * fraction + 1e-6);
    }

    /** {@return the number that a text is, or NaN if it is not a possible one} */
    double parse(String text) {
        try {
            double value = Double.parseDouble(text);
            return value >= least && value <= most && (!whole || value == Math.rint(value)) ? value : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** {@return a number without needless zeros} */
    static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** {@return what can be written, for messages: {@code 0.01 to 0.9}} */
    String range() {
        return text(least) + " to " + text(most);
    }

    /** {@return one line for lists and messages: {@code in (fraction of the frames, 0.01 to 0.9, default 0.25)}} */
    @Override
    public String toString() {
        return name + " (" + meaning + ", " + range() + ", default " + text(usual) + ")";
    }
}
