// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.List;
import picocli.CommandLine.Option;

/** Whether caches estimate their hit ratios at other sizes and with other policies. */
public final class AdviceOptions {
    @Option(
            names = "--advise",
            description = "Lets each of Clockhand's caches estimate, in the run that counts its hits, the hit ratios"
                    + " that it would have at a quarter to four times its size, with its policy and with others.")
    private boolean advise;

    @Option(
            names = "--advise-policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = PolicyNames.OfLibrary.class,
            completionCandidates = PolicyNames.OfLibrary.class,
            description = "The other policies of --advise: ${COMPLETION-CANDIDATES}" + PolicyNames.COMBINED
                    + " (default: lirs).")
    private List<String> policies = List.of("lirs");

    /** Refuses policies that nothing is estimated for. */
    public void check(Usage usage) {
        usage.require(advise || !usage.isTyped("--advise-policies"), "--advise-policies needs --advise");
    }

    /** The policies besides that of a cache; null if nothing is estimated. */
    public List<String> policies() {
        return advise ? policies : null;
    }
}
