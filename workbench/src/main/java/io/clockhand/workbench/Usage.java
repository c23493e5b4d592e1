// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import io.clockhand.workbench.environment.Installation;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options of a command, in one sentence each. */
public record Usage(CommandSpec spec) {
    private static final long MOST_ACCESSES = 1L << 40;

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            throw wrong(otherwise);
        }
    }

    public void requireTerminals(List<Integer> terminals) {
        require(terminals.stream().allMatch(n -> n >= 1 && n <= 1000), "--terminals must lie in 1 … 1000");
        requireOnce("--terminals", "a number", terminals);
    }

    public void requireOnce(String option, String what, List<?> values) {
        require(values.size() == Set.copyOf(values).size(), option + " names " + what + " twice");
    }

    /** Each of a list of numbers. */
    public void requireEach(String option, List<Integer> values, int most) {
        require(values.stream().allMatch(n -> n >= 1 && n <= most), option + " must lie in 1 … " + most);
        requireOnce(option, "a number", values);
    }

    /** Of runs that are timed or counted; null is for the command to choose. */
    public void requireLength(Integer seconds, Integer warmup, Long accesses, Long warmupAccesses) {
        require(
                (seconds == null && warmup == null) || (accesses == null && warmupAccesses == null),
                "--seconds and --warmup exclude --accesses and --warmup-accesses: a run is timed or counted");
        require(seconds == null || seconds >= 1, "--seconds must be at least 1, not " + seconds);
        require(warmup == null || warmup >= 0, "--warmup must not be negative, not " + warmup);
        requireAccesses(accesses, warmupAccesses);
    }

    /** Null is for the command to choose. */
    public void requireAccesses(Long accesses, Long warmupAccesses) {
        require(
                accesses == null || (accesses >= 1 && accesses <= MOST_ACCESSES),
                "--accesses must lie in 1 … " + MOST_ACCESSES + ", not " + accesses);
        require(
                warmupAccesses == null || (warmupAccesses >= 0 && warmupAccesses <= MOST_ACCESSES),
                "--warmup-accesses must lie in 0 … " + MOST_ACCESSES + ", not " + warmupAccesses);
    }

    public void requireTimes(int seconds, int warmup, int repeat) {
        require(seconds >= 1, "--seconds must be at least 1, not " + seconds);
        require(warmup >= 0, "--warmup must not be negative, not " + warmup);
        require(repeat >= 1, "--repeat must be at least 1, not " + repeat);
    }

    /** Null is for the command to choose. */
    public void requireHeap(String heap) {
        require(
                heap == null || heap.matches("[1-9][0-9]*[kKmMgG]"),
                "--heap must be a size such as 800m or 2g, not " + heap);
    }

    /** The Derby that was typed, or the newest that this Java runs. */
    public String chosenDerby(Installation installation, String typed) {
        if (typed == null) {
            return installation.newestDerby();
        }
        installation.requireDerby();
        if (!installation.derbyVersions().contains(typed)) {
            throw wrong(Names.unknown("Derby", typed, installation.derbyVersions()));
        }
        int needed = installation.javaNeeded(typed);
        int java = Runtime.version().feature();
        require(java >= needed, "Derby " + typed + " needs Java " + needed + " or newer, this is Java " + java);
        return typed;
    }

    public ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
