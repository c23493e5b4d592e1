// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.Names;
import io.clockhand.workbench.workload.TraceFormat;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of options that have names: refuses others, with the nearest, and lists the names for the help. */
abstract class Choices implements ITypeConverter<String>, Iterable<String> {
    private final String what;
    private final List<String> possible;
    private final List<String> listed;

    private Choices(String what, List<String> possible, List<String> listed) {
        this.what = what;
        this.possible = possible;
        this.listed = listed;
    }

    @Override
    public String convert(String name) {
        if (!possible.contains(name)) {
            throw new TypeConversionException(Names.unknown(what, name, possible));
        }
        return name;
    }

    @Override
    public Iterator<String> iterator() {
        return listed.iterator();
    }

    /** Any policy, the optimum, or all; the help lists no forms of one policy. */
    static final class OfPolicies extends Choices {
        OfPolicies() {
            super("policy", withAll(Settings.knownPolicies()), withAll(Settings.allPolicies()));
        }

        private static List<String> withAll(List<String> names) {
            return Stream.concat(names.stream(), Stream.of(Settings.ALL)).toList();
        }
    }

    /** Of a trace, or {@link #AUTO}. */
    static final class OfFormats extends Choices {
        static final String AUTO = "auto";

        OfFormats() {
            super("format", names(), names());
        }

        private static List<String> names() {
            return Stream.concat(Stream.of(AUTO), TraceFormat.labels().stream()).toList();
        }
    }
}
