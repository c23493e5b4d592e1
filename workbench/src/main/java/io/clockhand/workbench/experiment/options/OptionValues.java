// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a command with their values, for reports. */
public final class OptionValues {
    private OptionValues() {}

    /** Every long name in camel case, with the value in force. An option with two names has two entries. */
    public static Map<String, Object> of(Object annotated) {
        return of(CommandSpec.forAnnotatedObject(annotated));
    }

    /** The same of a parsed command. */
    public static Map<String, Object> of(CommandSpec command) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (OptionSpec option : command.options()) {
            for (String name : option.names()) {
                if (name.startsWith("--") && !option.usageHelp() && !option.versionHelp()) {
                    values.put(camelCase(name), shown(option, option.getValue()));
                }
            }
        }
        return values;
    }

    private static String camelCase(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.substring(2).split("-", -1)) {
            text.append(text.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    private static Object shown(OptionSpec option, Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(element -> shown(option, element)).toList();
        }
        for (ITypeConverter<?> converter : option.converters()) {
            if (value != null && converter instanceof Labels labels) {
                return labels.label(value);
            }
        }
        return value instanceof Path || value instanceof Enum<?> ? value.toString() : value;
    }

    /** Knows the values of an option by the names with which they are typed. */
    public interface Labels {
        String label(Object value);
    }
}
