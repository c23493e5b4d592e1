// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import io.clockhand.cache.CacheTuning;
import io.clockhand.cache.KeyTableKind;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.derby.iapi.services.monitor.ModuleFactory;
import org.apache.derby.iapi.services.monitor.Monitor;
import org.apache.derby.iapi.services.property.PropertyUtil;

/**
 * The settings of one cache: {@code clockhand.derby.SETTING}, overridden by {@code clockhand.derby.CACHE.SETTING}.
 *
 * @param policy a name of {@link Policies}
 * @param hand how a clock's hand is moved
 * @param table where keys are looked up
 * @param advice the estimates of hit ratios
 * @param fault what is wrong with the properties, or null; then the settings are the defaults
 */
record Settings(String policy, ClockHand hand, KeyTableKind table, Advice advice, String fault) {
    static final String PREFIX = "clockhand.derby.";

    private static final List<String> NAMES =
            List.of("policy", "hand", "table", "advises", "advisedPolicies", "adviceTimeFraction");

    /** The caches that Derby's versions make. A property for another one is a mistake. */
    private static final List<String> CACHES = List.of(
            "PageCache",
            "ContainerCache",
            "ConglomerateDirectoryCache",
            "VMTypeIdCache",
            "StatementCache",
            "TableDescriptorOIDCache",
            "TableDescriptorNameCache",
            "SPSNameDescriptorCache",
            "SequenceGeneratorCache",
            "PermissionsCache");

    /** A comma that is not between the parameters of a policy. */
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

    /**
     * Whether and how hit ratios are estimated.
     *
     * @param on whether they are
     * @param policies names besides the policy of the cache; null for the default
     * @param share of the time that it may take; null for the default
     */
    record Advice(boolean on, List<String> policies, Double share) {
        static final Advice NONE = new Advice(false, null, null);

        void apply(CacheTuning tuning) {
            tuning.advises(on);
            if (policies != null) {
                tuning.advisedPolicies(policies.toArray(new String[0]));
            }
            if (share != null) {
                tuning.adviceTimeFraction(share);
            }
        }
    }

    /** A mistake in the settings of any cache is the fault of all of them, since only one cache can tell of it. */
    static Settings read(String cache) {
        try {
            checkNames();
            CACHES.forEach(Settings::values);
            return values(cache);
        } catch (IllegalArgumentException e) {
            return new Settings(Policies.DEFAULT, ClockHand.DEFAULT, KeyTableKind.DEFAULT, Advice.NONE, e.getMessage());
        }
    }

    @Override
    public String toString() {
        return fault != null ? fault : "policy=" + policy + ", hand=" + hand.label() + ", table=" + table.label();
    }

    private static Settings values(String cache) {
        return new Settings(
                policy(cache),
                value(cache, "hand", ClockHand.DEFAULT, List.of(ClockHand.values()), ClockHand::label),
                value(cache, "table", KeyTableKind.DEFAULT, List.of(KeyTableKind.values()), KeyTableKind::label),
                advice(cache),
                null);
    }

    private static Advice advice(String cache) {
        return new Advice(
                value(cache, "advises", false, List.of(false, true), String::valueOf),
                parsed(cache, "advisedPolicies", Settings::policies),
                parsed(cache, "adviceTimeFraction", Settings::share));
    }

    private static Double share(String text) {
        double share;
        try {
            share = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            share = Double.NaN;
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("it must be a number greater than 0, and at most 1");
        }
        return share;
    }

    private static List<String> policies(String text) {
        return text.isEmpty()
                ? List.of()
                : COMMA.splitAsStream(text)
                        .map(name -> Policies.normalized(name.trim()))
                        .toList();
    }

    /** {@return what a property means; null if it is not set} */
    private static <T> T parsed(String cache, String setting, Function<String, T> parser) {
        String name = property(cache, setting);
        try {
            return name == null ? null : parser.apply(value(name));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Clockhand: " + name + " is '" + value(name) + "'; " + e.getMessage(), e);
        }
    }

    /** A name of a policy, which may have parameters. */
    private static String policy(String cache) {
        String name = parsed(cache, "policy", Policies::normalized);
        return name == null ? Policies.DEFAULT : name;
    }

    /** The name of the property that is in force, or null if none is set. */
    private static String property(String cache, String setting) {
        String own = PREFIX + cache + "." + setting;
        String all = PREFIX + setting;
        return PropertyUtil.getSystemProperty(own) != null
                ? own
                : PropertyUtil.getSystemProperty(all) != null ? all : null;
    }

    private static String value(String property) {
        return PropertyUtil.getSystemProperty(property).trim();
    }

    private static <T> T value(String cache, String setting, T otherwise, List<T> possible, Function<T, String> label) {
        String name = property(cache, setting);
        if (name == null) {
            return otherwise;
        }
        String wanted = value(name);
        for (T candidate : possible) {
            if (label.apply(candidate).equals(wanted)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("Clockhand: " + name + " is '" + wanted + "'; possible are "
                + possible.stream().map(label).collect(Collectors.joining(", ")));
    }

    private static void checkNames() {
        List<String> valid = new ArrayList<>(NAMES);
        CACHES.forEach(cache -> NAMES.forEach(name -> valid.add(cache + "." + name)));
        for (String property : names()) {
            if (property.startsWith(PREFIX) && !valid.contains(property.substring(PREFIX.length()))) {
                throw new IllegalArgumentException("Clockhand: there is no setting " + property + "; possible are "
                        + NAMES.stream().map(PREFIX::concat).collect(Collectors.joining(", ")) + ", and for one cache "
                        + PREFIX + "CACHE." + String.join("|", NAMES) + " with CACHE one of "
                        + String.join(", ", CACHES));
            }
        }
    }

    private static TreeSet<String> names() {
        TreeSet<String> names = new TreeSet<>();
        try {
            names.addAll(System.getProperties().stringPropertyNames());
        } catch (SecurityException e) {
            // a security manager hides them: then they cannot be set, and only those of Derby's file are checked
        }
        ModuleFactory monitor = Monitor.getMonitorLite();
        Properties application = monitor == null ? null : monitor.getApplicationProperties();
        if (application != null) {
            names.addAll(application.stringPropertyNames());
        }
        return names;
    }
}
