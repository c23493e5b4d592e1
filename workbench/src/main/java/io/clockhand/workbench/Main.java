// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import io.clockhand.workbench.bpwrapper.BpWrapper;
import io.clockhand.workbench.derby.tpcc.TpccCommand;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.figures.FiguresCommand;
import io.clockhand.workbench.kv.Kv;
import io.clockhand.workbench.lruc.LruC;
import io.clockhand.workbench.replay.ReplayCommand;
import io.clockhand.workbench.sharedupdate.SharedUpdate;
import io.clockhand.workbench.simulate.SimulateCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The workbench's entry point: one command for each thing a cache can be seen doing. */
@Command(
        name = "workbench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures and simulates caches.",
        subcommands = {
            TpccCommand.class,
            ReplayCommand.class,
            SimulateCommand.class,
            BpWrapper.class,
            LruC.class,
            SharedUpdate.class,
            Kv.class,
            LuceneLauncher.class
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /**
     * The command line of the workbench.
     *
     * @param others commands of other modules, which take the place of those with the same names
     */
    public static CommandLine commandLine(Object... others) {
        CommandLine commands = new CommandLine(new Main());
        commands.getCommandSpec().version("clockhand workbench " + Environment.version());
        commands.addSubcommand(new FiguresCommand(Main::commandLine));
        for (Object other : others) {
            CommandLine command = new CommandLine(other);
            commands.getCommandSpec().removeSubcommand(command.getCommandName());
            commands.addSubcommand(command);
        }
        return EnumNames.register(commands)
                .setParameterExceptionHandler(Main::onWrongUsage)
                .setExecutionExceptionHandler(Main::onFailure)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "no command; possible: "
                        + String.join(", ", spec.commandLine().getSubcommands().keySet()));
    }

    private static int onWrongUsage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("workbench: " + sentence(failure) + " ("
                + command.getCommandSpec().qualifiedName() + " --help lists everything)");
        return CommandLine.ExitCode.USAGE;
    }

    private static String sentence(ParameterException failure) {
        if (failure instanceof CommandLine.UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            CommandLine command = failure.getCommandLine();
            if (word.startsWith("-")) {
                return Names.unknown(
                        "option", word, command.getCommandSpec().optionsMap().keySet());
            }
            if (command.getParent() == null) {
                return Names.unknown("command", word, command.getSubcommands().keySet());
            }
        }
        return failure.getMessage();
    }

    private static int onFailure(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof CommandFailure) {
            err.println("workbench: " + failure.getMessage());
        } else {
            failure.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }
}
