// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import io.clockhand.workbench.bpwrapper.BpWrapper;
import io.clockhand.workbench.derby.tpcc.TpccCommand;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Version;
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
        versionProvider = Version.class,
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
            LuceneLauncher.class,
            FiguresCommand.class
        })
public final class Main implements Runnable {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs the command that the arguments name; returns the exit code. */
    static int run(String... args) {
        return commandLine().execute(args);
    }

    /**
     * The command line of the workbench.
     *
     * @param others commands of other modules, which take the place of those with the same names
     */
    public static CommandLine commandLine(Object... others) {
        CommandLine commands = new CommandLine(new Main());
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
        return USAGE;
    }

    private static String sentence(ParameterException failure) {
        if (failure instanceof CommandLine.UnmatchedArgumentException unmatched
                && failure.getCommandLine().getParent() == null
                && !unmatched.getUnmatched().get(0).startsWith("-")) {
            return Names.unknown(
                    "command",
                    unmatched.getUnmatched().get(0),
                    failure.getCommandLine().getSubcommands().keySet());
        }
        if (failure instanceof CommandLine.UnmatchedArgumentException unmatched
                && unmatched.getUnmatched().get(0).startsWith("-")) {
            return Names.unknown(
                    "option",
                    unmatched.getUnmatched().get(0),
                    failure.getCommandLine().getCommandSpec().optionsMap().keySet());
        }
        return failure.getMessage();
    }

    private static int onFailure(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        boolean debug = parsed.subcommand() != null && parsed.subcommand().matchedOptionValue("--debug", false);
        PrintWriter err = command.getErr();
        err.println("workbench: " + (failure instanceof CommandFailure ? failure.getMessage() : failure));
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return FAILED;
    }
}
