// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.Names;
import io.clockhand.workbench.Usage;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code simulate}: its options, and what is wrong with them. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Counts the hits of policies on traces, at any number of frames, with the very classes that run in"
                        + " production but without pages: what replay counts with one thread, sooner.",
        footer = {
            "",
            "Traces: a FILE, also one packed with gzip or xz; or paper80 and paper45, 50,000 keys drawn after Zipf's law as in the"
                    + " experiments of the Nb-GCLOCK paper; paper80+scan, with a fifth of scans; uniform, hot-page; or tpcc:W, references"
                    + " to the pages of a TPC-C database of W warehouses.",
            "",
            "Threads are simulated by one, so that hits are the same every time: of N threads, thread t has the references n with"
                    + " n mod N = t, and the threads take turns of --interleave references each. No page is ever dirty.",
            "",
            "opt is the ceiling: it knows what will be referred to, warm-up included, and throws the page out that is needed last;"
                    + " every page that is referred to is framed (Belady, with forced admission).",
            "",
            "--check compares with hits that are known. Its file has a head line with the columns trace (the name of a file without"
                    + " folders and endings), capacity, policy, hits, requests and tolerance_points: exact, a number of percentage points,"
                    + " or info for lines that are shown and not judged. The exit code is 1 if a line does not hold, or none was compared."
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_THREADS = 1000;
    private static final int MOST_FRAMES = 1 << 26;
    private static final List<Integer> DEFAULT_FRAMES = List.of(4096, 8192, 16_384, 32_768);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--trace",
            paramLabel = "FILE|NAME,…",
            split = ",",
            description =
                    "FILE, paper80, paper45, paper80+scan, uniform, hot-page or tpcc:W (default: paper80); see below.")
    private List<String> traces = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the files: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String format = FormatChoice.AUTO;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = ",",
            converter = PolicyChoice.class,
            completionCandidates = PolicyChoice.class,
            description =
                    "${COMPLETION-CANDIDATES}; also with a form before it, such as spin:lru, which all does not name"
                            + " (default: all, or those of the check).")
    private List<String> policies;

    @Option(
            names = "--frames",
            paramLabel = "N,…",
            split = ",",
            description = "How many pages the pool holds (default: 4096,8192,16384,32768, or those of the check).")
    private List<Integer> frames;

    @Option(names = "--threads", paramLabel = "N,…", split = ",", description = "Simulated threads (default: 1).")
    private List<Integer> threads = List.of(1);

    @Option(
            names = "--interleave",
            paramLabel = "N",
            description = "Several threads take turns of so many references (default: ${DEFAULT-VALUE}).")
    private int interleave = Settings.DEFAULT_INTERLEAVE;

    @Option(
            names = "--accesses",
            paramLabel = "N",
            description = "So many references of all threads together count (default: 6,000,000, or a whole trace).")
    private Long accesses;

    @Option(
            names = "--warmup-accesses",
            paramLabel = "N",
            description = "References before those (default: 2,000,000, or none of a trace).")
    private Long warmupAccesses;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description =
                    "Compares with the hits of a CSV file; without --policies or --frames, its own for each trace.")
    private Path check;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Gets simulate.json, simulate.csv and simulate.html (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Override
    public Integer call() {
        validate();
        return new SimulateRuns(settings(), System.out, System.err).run() ? 0 : 1;
    }

    private void validate() {
        Usage usage = new Usage(spec);
        traces.forEach(trace -> requireTrace(usage, trace));
        usage.requireOnce("--trace", "a trace", traces);
        if (policies != null) {
            usage.requireOnce("--policies", "a policy", policies);
        }
        if (frames != null) {
            usage.requireEach("--frames", frames, MOST_FRAMES);
        }
        usage.requireEach("--threads", threads, MOST_THREADS);
        usage.require(interleave >= 1, "--interleave must be at least 1, not " + interleave);
        usage.requireAccesses(accesses, warmupAccesses);
    }

    /** What looks like a name, and not like a file, is one. */
    private static void requireTrace(Usage usage, String trace) {
        try {
            String name = Workloads.named(trace);
            Workloads.check(name);
            boolean file = trace.startsWith(Workloads.TRACE)
                    || !Workloads.isTrace(name)
                    || trace.matches(".*[./\\\\].*")
                    || Files.exists(Path.of(trace));
            usage.require(file, Names.unknown("trace", trace, possibleTraces()));
        } catch (InvalidPathException e) {
            throw usage.wrong("--trace: no file can have the name '" + trace + "'");
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--trace: " + e.getMessage());
        }
    }

    private static List<String> possibleTraces() {
        return Stream.concat(Workloads.possible().stream().filter(name -> !Workloads.isTrace(name)), Stream.of("FILE"))
                .toList();
    }

    private Settings settings() {
        boolean checked = check != null;
        return new Settings(
                traces,
                FormatChoice.format(format),
                policies != null ? expanded(policies) : checked ? null : Settings.allPolicies(),
                frames != null || checked ? frames : DEFAULT_FRAMES,
                threads,
                interleave,
                accesses,
                warmupAccesses,
                check,
                seed,
                out,
                debug);
    }

    private static List<String> expanded(List<String> policies) {
        return policies.stream()
                .flatMap(name -> name.equals(Settings.ALL) ? Settings.allPolicies().stream() : Stream.of(name))
                .distinct()
                .toList();
    }
}
