// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.derby.driver.RecordingCacheFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of {@code derby.properties} for loading and for a run. */
public final class DerbyProperties {
    private static final int LOADING_PAGES = 4000;
    private static final int DEADLOCK_SECONDS = 1;
    private static final int WAIT_SECONDS = 5;
    private static final String DURABILITY = "derby.system.durability";
    /** Derby takes any name that begins so. */
    private static final String CACHE_FACTORY = "derby.module.clockhandCache";

    /** By name, since the workbench itself runs without Derby's classes. */
    private static final String RECORDING_FACTORY = "io.clockhand.workbench.derby.driver.RecordingCacheFactory";

    private static final String PAGE_CACHE_SIZE = "derby.storage.pageCacheSize";

    private DerbyProperties() {}

    /** Loading is not measured: the log need not reach the disk. */
    public static Map<String, String> ofLoad() {
        Map<String, String> lines = common(1);
        lines.put(DURABILITY, Durability.TEST.toString());
        lines.put(PAGE_CACHE_SIZE, Integer.toString(LOADING_PAGES));
        return lines;
    }

    public static Map<String, String> ofRun(Contender cache, int poolPages, Durability durability, int contenders) {
        Map<String, String> lines = common(contenders);
        if (durability == Durability.TEST) {
            lines.put(DURABILITY, durability.toString());
        }
        lines.put(PAGE_CACHE_SIZE, Integer.toString(poolPages));
        if (!cache.isDerby()) {
            lines.put(CACHE_FACTORY, "io.clockhand.derby.ClockhandCacheFactory");
            lines.put("clockhand.derby.policy", cache.policy());
        }
        return lines;
    }

    /** Those of a run whose page cache estimates its hit ratios, from each reference, also with other policies. */
    public static Map<String, String> advised(List<String> policies, Map<String, String> lines) {
        Map<String, String> advised = new LinkedHashMap<>(lines);
        advised.put("clockhand.derby.PageCache.advises", "true");
        advised.put("clockhand.derby.PageCache.advisedPolicies", String.join(",", policies));
        advised.put("clockhand.derby.PageCache.adviceTimeFraction", "1");
        return advised;
    }

    /** Those of a run whose references are recorded. */
    public static Map<String, String> recorded(Contender cache, Map<String, String> lines) {
        Map<String, String> recorded = new LinkedHashMap<>(lines);
        recorded.put(CACHE_FACTORY, RECORDING_FACTORY);
        if (cache.isDerby()) {
            recorded.put(RecordingCacheFactory.RECORDED_CACHE, RecordingCacheFactory.DERBY);
        }
        return recorded;
    }

    /** The lines of every run whose commits need not wait for the disk. */
    public static Map<String, String> ofEveryRun(int contenders) {
        Map<String, String> lines = common(contenders);
        lines.put(DURABILITY, Durability.TEST.toString());
        return lines;
    }

    /** How long a terminal that retries in vain may take: eleven lock time-outs, and some more. */
    public static int hangSeconds(int contenders) {
        return 12 * WAIT_SECONDS * contenders;
    }

    /**
     * One deadlock at Derby's defaults (20 s, 60 s) would ruin a short run; statistics are taken after the load.
     *
     * <p>The time-outs pass while a contender of a duel is stopped, so they are as many times longer as there are
     * contenders: in its own running time each contender waits as long as one that runs alone.
     */
    private static Map<String, String> common(int contenders) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("derby.locks.deadlockTimeout", Integer.toString(DEADLOCK_SECONDS * contenders));
        lines.put("derby.locks.waitTimeout", Integer.toString(WAIT_SECONDS * contenders));
        lines.put("derby.storage.indexStats.auto", "false");
        lines.put("derby.stream.error.field", "java.lang.System.err");
        return lines;
    }

    public static String asText(Map<String, String> lines) {
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** The durability of commits. */
    public enum Durability {
        /** Nothing: {@code derby.system.durability=test}, so that the cache is measured and not the disk. */
        TEST,
        /** The log on disk. */
        FULL;

        /** As options and reports have it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
