// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of an option {@code --caches}: refuses names that no cache has, and lists the others for the help. */
public final class Contenders implements ITypeConverter<Contender>, Iterable<String> {
    @Override
    public Contender convert(String name) {
        try {
            return Contender.of(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    @Override
    public Iterator<String> iterator() {
        return Contender.possible().iterator();
    }
}
