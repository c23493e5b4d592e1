// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.options;

import io.clockhand.policy.Policies;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** Names of policies with parameters, such as {@code 2q(in=0.3,out=0.6)}, among names that have none. */
public abstract class PolicyNames extends Choice<String> {
    /** Splits a list of names, but not the parameters of one. */
    public static final String COMMA = ",(?![^()]*[)])";

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

    @Override
    public String convert(String name) {
        try {
            return normalized(name, possible);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** A name as reports write it; throws {@link IllegalArgumentException} if it is not among the possible ones. */
    public static String normalized(String name, List<String> possible) {
        String plain = plain(name);
        if (!possible.contains(plain)) {
            throw new IllegalArgumentException(Names.unknown("policy", plain, possible));
        }
        if (plain.equals(name)) {
            return name;
        }
        if (!Policies.names().contains(plain)) {
            throw new IllegalArgumentException(plain + " has no parameters");
        }
        return Policies.normalized(name);
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
