// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/** Finds the benchmark and the parameters that the user named; a wrong name is answered with the possible ones. */
public final class Choice {
    /** A name that is not there; the message is a sentence for the user. */
    public static final class WrongName extends RuntimeException {
        private static final long serialVersionUID = 1;

        private WrongName(String message) {
            super(message);
        }
    }

    private Choice() {}

    /** The only benchmark that a regular expression finds, as JMH understands it. */
    public static BenchmarkListEntry benchmark(BenchmarkJars jars, String expression) throws IOException {
        Pattern pattern;
        try {
            pattern = Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new WrongName("'" + expression + "' is no regular expression: " + e.getDescription());
        }
        Map<String, BenchmarkListEntry> all = new TreeMap<>();
        jars.benchmarks().forEach(entry -> all.put(entry.getUsername(), entry));
        List<BenchmarkListEntry> found = all.values().stream()
                .filter(entry -> pattern.matcher(entry.getUsername()).find())
                .toList();
        if (found.isEmpty()) {
            throw new WrongName(
                    "no benchmark '" + expression + "' in " + jars.classPath() + "; " + possible(all.keySet()));
        }
        if (found.size() > 1) {
            throw new WrongName("'" + expression + "' finds several benchmarks; "
                    + possible(
                            found.stream().map(BenchmarkListEntry::getUsername).toList()));
        }
        return found.get(0);
    }

    /**
     * The parameters of a contender, in the benchmark's order.
     *
     * @throws WrongName if one is named that the benchmark does not have, or one that has several values is left open
     */
    public static Map<String, String> parameters(BenchmarkListEntry benchmark, Map<String, String> named) {
        Map<String, String[]> declared = declared(benchmark);
        for (String name : named.keySet()) {
            if (!declared.containsKey(name)) {
                throw new WrongName("no parameter '" + name + "' in " + benchmark.getUsername() + "; "
                        + possible(declared.keySet()));
            }
        }
        Map<String, String> chosen = new LinkedHashMap<>();
        declared.forEach((name, values) -> {
            String value = named.getOrDefault(name, values.length == 1 ? values[0] : null);
            if (value == null) {
                throw new WrongName("choose a value of the parameter " + name + " by -p " + name + "=VALUE; "
                        + possible(Arrays.asList(values)));
            }
            chosen.put(name, value);
        });
        return chosen;
    }

    /** A sentence about values that the benchmark does not list, though they may be right; empty if there are none. */
    public static String unlisted(BenchmarkListEntry benchmark, Collection<Map<String, String>> parameters) {
        List<String> sentences = new ArrayList<>();
        declared(benchmark).forEach((name, values) -> {
            List<String> listed = Arrays.asList(values);
            TreeSet<String> others = new TreeSet<>();
            parameters.forEach(chosen -> others.add(chosen.get(name)));
            others.removeAll(listed);
            if (!others.isEmpty()) {
                sentences.add("the benchmark does not list " + name + "=" + String.join(", ", others) + "; "
                        + possible(listed));
            }
        });
        return String.join("; ", sentences);
    }

    private static Map<String, String[]> declared(BenchmarkListEntry benchmark) {
        return new TreeMap<>(benchmark.getParams().orElse(Map.of()));
    }

    private static String possible(Collection<String> names) {
        return "possible: " + (names.isEmpty() ? "none" : String.join(", ", names));
    }
}
