// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of options that have names: refuses others, with the nearest, and lists the names for the help. */
public abstract class Choice<T> implements ITypeConverter<T>, Iterable<String> {
    private final String what;
    private final List<T> values;
    private final Function<T, String> label;

    /**
     * Makes one.
     *
     * @param what they are, as a message has it
     * @param label of a value, as it is typed
     */
    protected Choice(String what, List<T> values, Function<T, String> label) {
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
}
