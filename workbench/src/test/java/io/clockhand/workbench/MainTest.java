// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(err, true));
        command.setOut(new PrintWriter(new StringWriter(), true));
        return command.execute(args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tpc                                 | did you mean tpcc
            tpcc --cahces derby                 | did you mean --caches
            tpcc --caches derbi                 | did you mean derby? Possible: derby,
            tpcc --caches nbgclock3@old --jars old=a.jar | did you mean nb-gclock3
            tpcc --caches lru@old               | lru@old needs an option --jars old=PATH
            tpcc --jars old=src                 | --jars old: none of its jars contains io.clockhand.
            tpcc --jars old=nowhere.jar         | --jars old: there is no nowhere.jar
            tpcc --jars nowhere.jar             | --jars
            tpcc --baseline lru                 | unknown baseline 'lru'; did you mean derby?
            tpcc --seconds 1 --slice 2          | --slice must not be longer than --seconds
            tpcc --terminals 4,four             | 'four'
            tpcc --warehouses 0                 | --warehouses must lie in
            tpcc --seconds 0                    | --seconds must be at least 1
            tpcc --warmup -1                    | --warmup must not be negative
            tpcc --pool-percent 0               | --pool-percent must lie in
            tpcc --derby 10.15.2.0              | did you mean 10.17.1.0? Possible: 10.16.1.1, 10.17.1.0
            tpcc --caches derby@old             | Derby's own cache has no version of Clockhand
            tpcc --terminals 4,4                | --terminals names a number twice
            tpcc --pool-percent NaN             | --pool-percent must lie in
            tpcc --work select                  | did you mean selects? Possible: transactions, selects
            tpcc --caches nbgclock3             | did you mean nb-gclock3
            tpcc --slice 0                      | --slice must lie in
            tpcc --terminals 0                  | --terminals must lie in
            tpcc --repeat 0                     | --repeat must be at least 1
            replay --policies lruu              | did you mean lru? Possible: nb-gclock3,
            replay --hand stripes               | did you mean striped? Possible: atomic, striped, batched
            replay --page-in blocked            | did you mean blocking? Possible: optimistic, coalesced, blocking
            replay --threads 0                  | --threads must lie in 1 …
            replay --frames 0                   | --frames must lie in 1 …
            replay --workload paper8            | did you mean paper80? Possible: paper80,
            replay --format lir                 | did you mean lirs? Possible: auto, lirs, arc, cache2k,
            replay --io disk                    | Possible: cached, direct, memory
            replay --spread 0                   | --spread must lie in
            replay --accesses 0                 | --accesses must lie in 1 …
            replay --warmup-accesses -1         | --warmup-accesses must lie in 0 …
            replay --seconds 1 --accesses 5     | a run is timed or counted
            replay --interleave -1              | --interleave must not be negative
            replay --repeat 0                   | --repeat must be at least 1
            replay --workload tpcc:0            | a number of warehouses from 1 to 1000, not '0'
            replay --policies bp:lruu           | did you mean bp:lru? Possible: nb-gclock3,
            replay --baseline fifo              | unknown baseline 'fifo'
            replay --threads 2,2                | --threads names a number twice
            replay --seconds 0                  | --seconds must be at least 1
            replay --warmup -1                  | --warmup must not be negative
            replay --polices lru                | did you mean --policies
            replays                             | did you mean replay? Possible: tpcc, replay
            simulate --policies lruu            | w-tinylfu, opt, all; also with a form before the name (bp:,
            simulate --policies optt            | did you mean opt?
            simulate --policies opt,opt         | --policies names a policy twice
            simulate --frames 0                 | --frames must lie in 1 …
            simulate --frames 5,5               | --frames names a number twice
            simulate --trace paper80,paper80    | --trace names a trace twice
            simulate --accesses 0               | --accesses must lie in 1 …
            simulate --warmup-accesses -1       | --warmup-accesses must lie in 0 …
            simulate --accesses 9223372036854775807 | --accesses must lie in 1 …
            simulate --format lir               | did you mean lirs? Possible: auto, lirs, arc, cache2k,
            simulate --trace paper8             | did you mean paper80? Possible: paper80,
            simulate --trace tpcc:many          | a number of warehouses from 1 to 1000, not 'many'
            simulate --cheque a.csv             | did you mean --check
            simulat                             | did you mean simulate?
            bp-wrapper --forms bach             | did you mean batch? Possible: plain, prefetch
            bp-wrapper --policies nb-gclock     | unknown policy 'nb-gclock'
            bp-wrapper --policies 2Q(in=0.3,out=0.6) | unknown policy '2Q'; did you mean 2q?
            bp-wrapper --policies 2q(in=0.3,on=0.6) | 2q has no parameter "on"; it has
            bp-wrapper --threshold 0            | --threshold must lie in 1 … 4096, or be half
            bp-wrapper --threshold many         | --threshold must lie in 1 … 4096, or be half, not many
            bp-wrapper --threshold 65           | threshold 65 is greater than queue size 64
            bp-wrapper --stream dbt             | did you mean dbt2? Possible: dbt2, dbt1, table-scan
            bp-wrapper --miss-percent 101       | --miss-percent must lie in 0 … 100
            bp-wrapper --miss-percent 5,5.0     | --miss-percent names a share twice
            bp-wrapper --baseline spin          | unknown baseline 'spin'
            bp-wrapper --policies lru,lru       | --policies names a policy twice
            bp-wrapper --threads 0              | --threads must lie in 1 …
            bp-wrapper --threads 2,2            | --threads names a number twice
            bp-wrapper --queue-size 0           | --queue-size must lie in 1 … 4096
            bp-wrapper --miss-percent NaN       | --miss-percent must lie in 0 … 100
            bp-wrapper --seconds 1 --accesses 5 | a run is timed or counted
            bp-wrapper --seconds 0              | --seconds must be at least 1
            bp-wrapper --accesses 0             | --accesses must lie in 1 …
            bp-wrapper --repeat 0               | --repeat must be at least 1
            bp-wrappers                         | did you mean bp-wrapper? Possible: tpcc,
            lru-c --schemes lru-b               | did you mean lru-c? Possible: vanilla, vanilla-8192
            lru-c --schemes vanilla:many        | a number of pages a second from 1 to 9999999, not 'many'
            lru-c --schemes pool:lruu           | unknown policy 'lruu'; did you mean lru?
            lru-c --device ssd-b                | did you mean ssd-a? Possible: ssd-a, ssd-c, hdd, real
            lru-c --time-scale 0                | --time-scale must lie in 0.001 … 1000
            lru-c --pool-percent 0              | --pool-percent must be greater than 0 and at most 90
            lru-c --pool-percent 0.01           | a pool of 0.01 % of 163840 pages has 16 frames
            lru-c --pages 249                   | --pages must lie in 250 …
            lru-c --read-write 1:2              | page reads for each page write must be 1 or more
            lru-c --read-write two              | 'two' is no ratio of page reads to page writes such as 2:1
            lru-c --free-writes --device real   | --free-writes needs simulated devices, and real is none
            lru-c --baseline clock              | unknown baseline 'clock'; did you mean clock-c?
            lru-c --threads 0                   | --threads must lie in 1 …
            lru-c --seconds 0                   | --seconds must lie in 1 …
            lru-c --warmup -1                   | --warmup must lie in 0 …
            lru-c --repeat 0                    | --repeat must be at least 1
            lru-d                               | did you mean lru-c?
            shared-update --protocols share     | did you mean shared? Possible: exclusive-lock, exclusive-spin
            shared-update --protocols exclusive-latch | is for --load allocate
            shared-update --threads 61          | --threads must lie in 1 … 60
            shared-update --row-bytes 3         | --row-bytes must be one of [1, 2, 4, 8], not [3]
            shared-update --page-lsn 9          | --page-lsn must be one of [8, 10], not [9]
            shared-update --load allocate --row-bytes 8 | --row-bytes is for --load rows
            shared-update --load allocate --protocols exclusive-spin | --protocols exclusive-latch,shared
            shared-update --log disk            | 'disk' is no log; possible: cpu:Tus
            shared-update --log file,file       | --log names a log twice
            shared-update --protocols shared,shared | --protocols names a protocol twice
            shared-update --threads 0           | --threads must lie in 1 …
            shared-update --row-layout pad      | did you mean padded? Possible: padded, interleaved
            shared-update --row-bytes 8,8       | --row-bytes names a number twice
            shared-update --load alocate        | did you mean allocate? Possible: rows, allocate
            shared-update --baseline exclusive-latch | unknown baseline 'exclusive-latch'
            shared-update --seconds 0           | --seconds must be at least 1
            shared-updates                      | did you mean shared-update?
            """)
    void wrongUsageIsExplainedInOneSentence(String arguments, String expected) {
        assertThat(run(arguments.split(" +", -1))).isEqualTo(2);
        assertThat(err.toString()).contains(expected);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }

    @Test
    void noCommandIsWrongUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("possible: tpcc, replay, simulate, bp-wrapper, lru-c, shared-update");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "replay", "simulate"})
    void helpShowsADozenPoliciesAndHowNamesCombine(String command) {
        CommandLine.Help help = Main.commandLine().getSubcommands().get(command).getHelp();
        assertThat(help.optionList()).contains("nb-gclock3", "buffered:,").doesNotContain("buffered:2q", "locked:lru");
    }

    @Test
    void helpIsNoError() {
        Set<String> commands = Main.commandLine().getSubcommands().keySet();

        assertThat(commands.stream().filter(name -> !name.equals("lucene")))
                .hasSize(8)
                .allSatisfy(name -> assertThat(run(name, "--help")).isZero());
    }

    @Test
    void exitCodeSaysWhetherACheckHolds(@TempDir Path directory) throws IOException {
        String trace =
                Files.writeString(directory.resolve("a.trace"), "1\n2\n1\n").toString();
        String head = "trace,capacity,policy,hits,requests,tolerance_points\n";
        String good = Files.writeString(directory.resolve("good.csv"), head + "a,2,LRU,1,3,exact\n")
                .toString();
        String bad = Files.writeString(directory.resolve("bad.csv"), head + "a,2,LRU,2,3,exact\n")
                .toString();
        String out = directory.resolve("out").toString();

        assertThat(run("simulate", "--trace", trace, "--check", good, "--out", out))
                .isZero();
        assertThat(run("simulate", "--trace", trace, "--check", bad, "--out", out))
                .isEqualTo(1);
        assertThat(run("simulate", "--trace", trace + ".gz", "--frames", "2", "--out", out))
                .isEqualTo(1);
        assertThat(err.toString()).contains("workbench: there is no trace " + trace + ".gz");
    }

    @Test
    void directoryInThePlaceOfAReportIsRefusedBeforeTheFirstRun(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("kv.json"));

        assertThat(run("kv", "--work", "gets", "--entries", "1000", "--seconds", "1", "--out", directory.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("kv.json: it is a directory");
    }
}
