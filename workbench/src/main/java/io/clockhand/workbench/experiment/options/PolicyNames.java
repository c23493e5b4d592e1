// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.policy.Policies;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Names of policies with parameters, such as {@code 2q(in=0.3,out=0.6)}, among names that have none. */
public abstract class PolicyNames extends Choice<String> {
    /** Splits a list of names, but not the parameters of one. */
    public static final String COMMA = ",(?![^()]*[)])";

    /** How names combine with forms, which follows a list of {@link #chosen names}. */
    public static final String FORMS =
            "; also with a form before the name (bp:, buffered:, locked: or spin:, as in bp:lru)";

    /** How names combine with forms and parameters. */
    public static final String COMBINED = FORMS + " and parameters in parentheses after it, as in 2q(in=0.3,out=0.6)";

    /** The dozen that people choose from; all others are accepted, too. */
    private static final List<String> DOZEN = List.of(
            "nb-gclock3",
            "nb-gclock",
            "2r-gclock",
            "lru",
            "clock",
            "2q",
            "lirs",
            "arc",
            "clock-pro",
            "s3-fifo",
            "sieve",
            "w-tinylfu");

    private final List<String> possible;

    /**
     * Makes one.
     *
     * @param possible names, without parameters; those that the library does not know can have none
     */
    protected PolicyNames(List<String> possible) {
        super("policy", possible, name -> name);
        this.possible = possible;
    }

    public static final class OfLibrary extends PolicyNames {
        OfLibrary() {
            super(Policies.names());
        }
    }

    @Override
    protected String value(String name) {
        return normalized(name, possible);
    }

    /** A name as reports write it; throws {@link IllegalArgumentException} if it is not among the possible ones. */
    public static String normalized(String name, List<String> possible) {
        String plain = plain(name);
        if (!possible.contains(plain)) {
            throw new IllegalArgumentException(
                    Names.unknown("policy", plain, possible, String.join(", ", chosen(possible)) + COMBINED));
        }
        if (plain.equals(name)) {
            return name;
        }
        if (!Policies.names().contains(plain)) {
            throw new IllegalArgumentException(plain + " has no parameters");
        }
        return Policies.normalized(name);
    }

    /** The names that help and errors show: the dozen, and those that the library does not know. */
    public static List<String> chosen(List<String> possible) {
        List<String> known = Policies.names();
        return Stream.concat(DOZEN.stream(), possible.stream().filter(name -> !known.contains(name)))
                .filter(possible::contains)
                .toList();
    }

    @Override
    public final Iterator<String> iterator() {
        return chosen(possible).iterator();
    }

    /** The part of a name before its parameters. */
    public static String plain(String name) {
        int end = name.indexOf('(');
        return end < 0 ? name : name.substring(0, end);
    }

    /** Whether a name is a possible one, with parameters that are possible. */
    public static boolean isPossible(String name, List<String> possible) {
        try {
            return !normalized(name, possible).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
