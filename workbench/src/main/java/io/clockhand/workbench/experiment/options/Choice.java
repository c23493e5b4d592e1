// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of an option that have names: refuses others, suggests the nearest, and lists the names for the help. */
public abstract class Choice<T> implements ITypeConverter<T>, Iterable<String>, Labels {
    private final String kind;
    private final List<T> values;
    private final Function<T, String> label;

    /**
     * Makes one.
     *
     * @param kind of the values, as a message names it
     * @param label of a value, as it is typed
     */
    protected Choice(String kind, List<T> values, Function<T, String> label) {
        this.kind = kind;
        this.values = values;
        this.label = label;
    }

    @Override
    public final T convert(String name) {
        try {
            return value(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** The value that has a name; throws {@link IllegalArgumentException}, with a sentence, if none has. */
    protected T value(String name) {
        return values.stream()
                .filter(value -> label.apply(value).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(Names.unknown(kind, name, names())));
    }

    @Override
    @SuppressWarnings("unchecked")
    public String label(Object value) {
        return label.apply((T) value);
    }

    private List<String> names() {
        return values.stream().map(label).toList();
    }

    @Override
    public Iterator<String> iterator() {
        return names().iterator();
    }
}
