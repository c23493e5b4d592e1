// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

/** Options that take the constants of an enum by their texts, such as {@code table-scan}. */
public final class EnumNames {
    private EnumNames() {}

    /** The text of a constant: {@code table-scan} for {@code TABLE_SCAN}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Lets all options of a command and its subcommands refuse unknown names and suggest the nearest. */
    public static CommandLine register(CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            for (Class<?> type : option.auxiliaryTypes()) {
                if (type.isEnum()) {
                    register(command, type, option);
                }
            }
        }
        command.getSubcommands().values().forEach(EnumNames::register);
        return command;
    }

    private static <T> void register(CommandLine command, Class<T> type, OptionSpec option) {
        String kind = option.longestName()
                .replaceFirst("^--", "")
                .replaceFirst("s$", "")
                .replace('-', ' ');
        ITypeConverter<T> converter = new Choice<>(kind, List.of(type.getEnumConstants()), String::valueOf) {};
        command.registerConverter(type, converter);
    }
}
