// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.Names;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of options that have names: refuses others, with the nearest, and lists the names for the help. */
abstract class Choices<T> implements ITypeConverter<T>, Iterable<String> {
    private final String what;
    private final List<T> values;
    private final Function<T, String> label;

    private Choices(String what, List<T> values, Function<T, String> label) {
        this.what = what;
        this.values = values;
        this.label = label;
    }

    @Override
    public T convert(String name) {
        return values.stream()
                .filter(value -> label.apply(value).equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(Names.unknown(what, name, names())));
    }

    private List<String> names() {
        return values.stream().map(label).toList();
    }

    @Override
    public Iterator<String> iterator() {
        return names().iterator();
    }

    static final class OfPolicies extends Choices<String> {
        OfPolicies() {
            super("policy", Policies.names(), name -> name);
        }
    }

    static final class OfHands extends Choices<ClockHand> {
        OfHands() {
            super("hand", List.of(ClockHand.values()), ClockHand::label);
        }
    }

    static final class OfPageIns extends Choices<PageIn> {
        OfPageIns() {
            super("page-in", List.of(PageIn.values()), PageIn::label);
        }
    }

    static final class OfIos extends Choices<Io> {
        OfIos() {
            super("io", List.of(Io.values()), Io::label);
        }
    }

    /** Of a trace, or {@link #AUTO}. */
    static final class OfFormats extends Choices<String> {
        static final String AUTO = "auto";

        OfFormats() {
            super(
                    "format",
                    Stream.concat(Stream.of(AUTO), TraceFormat.labels().stream())
                            .toList(),
                    name -> name);
        }

        static TraceFormat format(String name) {
            return Arrays.stream(TraceFormat.values())
                    .filter(format -> format.label().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** A trace is one with any file. */
    static final class OfWorkloads extends Choices<String> {
        OfWorkloads() {
            super("workload", Workloads.possible(), name -> name);
        }

        @Override
        public String convert(String name) {
            try {
                Workloads.check(name);
                return name;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
