// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.AbstractList;
import java.util.List;
import java.util.stream.Collectors;

/** The default of an option that takes a list, which the help shows as it is typed. */
public final class CommaList<T> extends AbstractList<T> {
    private final List<T> values;

    private CommaList(List<T> values) {
        this.values = values;
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> List<T> of(T... values) {
        return new CommaList<>(List.of(values));
    }

    @Override
    public T get(int index) {
        return values.get(index);
    }

    @Override
    public int size() {
        return values.size();
    }

    @Override
    public String toString() {
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
