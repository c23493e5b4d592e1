// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of {@code derby.properties} for loading and for a run. */
public final class DerbyProperties {
    /** With the value {@code test} the log need not reach the disk, so that the cache is measured and not the disk. */
    public static final String DURABILITY = "derby.system.durability";

    /** Derby takes any name that begins so. */
    private static final String CACHE_FACTORY = "derby.module.clockhandCache";

    private DerbyProperties() {}

    /**
     * Those of Derby's own cache.
     *
     * <p>One deadlock at Derby's defaults (20 s, 60 s) would ruin a short run. The time-outs pass while a contender of
     * a duel is stopped, so they are as many times longer as there are contenders: in its own running time each
     * contender waits as long as one that runs alone. Statistics are taken after the load.
     */
    public static Map<String, String> common(int poolPages, int contenders) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("derby.locks.deadlockTimeout", Integer.toString(contenders));
        lines.put("derby.locks.waitTimeout", Integer.toString(5 * contenders));
        lines.put("derby.storage.indexStats.auto", "false");
        lines.put("derby.stream.error.field", "java.lang.System.err");
        lines.put(DURABILITY, "test");
        lines.put("derby.storage.pageCacheSize", Integer.toString(poolPages));
        return lines;
    }

    public static Map<String, String> ofLoad() {
        return common(4000, 1);
    }

    /**
     * Those of a run.
     *
     * @param policy of Clockhand's cache, or null for Derby's own
     */
    public static Map<String, String> ofRun(String policy, int poolPages, int contenders) {
        Map<String, String> lines = common(poolPages, contenders);
        if (policy != null) {
            useFactory(lines, "io.clockhand.derby.ClockhandCacheFactory");
            lines.put("clockhand.derby.policy", policy);
        }
        return lines;
    }

    /** Lets a class make the caches, named since the workbench itself runs without Derby's classes. */
    public static void useFactory(Map<String, String> lines, String factory) {
        lines.put(CACHE_FACTORY, factory);
    }

    /** Lets the page cache of a run estimate its hit ratios, from each reference, also with other policies. */
    public static void advise(Map<String, String> lines, List<String> policies) {
        lines.put("clockhand.derby.PageCache.advises", "true");
        lines.put("clockhand.derby.PageCache.advisedPolicies", String.join(",", policies));
        lines.put("clockhand.derby.PageCache.adviceTimeFraction", "1");
    }

    public static String asText(Map<String, String> lines) {
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
