// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The name of a policy, taken apart: {@code NAME} or {@code NAME(parameter=value,parameter=value)}. Between the
 * parentheses spaces are allowed.
 *
 * @param typed the whole, as it was written
 * @param policy what is before the parentheses
 * @param settings the texts of the parameters by name, in the order in which they were written
 */
record PolicyName(String typed, String policy, Map<String, String> settings) {

    /** Takes a name apart; throws {@link IllegalArgumentException} if it cannot be. */
    static PolicyName parse(String typed) {
        int open = typed.indexOf('(');
        int close = typed.indexOf(')');
        if (open < 0 && close < 0) {
            return new PolicyName(typed, typed, Map.of());
        }
        if (close < 0) {
            throw new IllegalArgumentException("policy '" + typed + "' has no ) at its end");
        }
        if (open < 0 || close < open) {
            throw new IllegalArgumentException("policy '" + typed + "' has a ) and no ( before it");
        }
        if (close != typed.length() - 1) {
            throw new IllegalArgumentException("policy '" + typed + "' goes on after its )");
        }
        return new PolicyName(typed, typed.substring(0, open), settings(typed, typed.substring(open + 1, close)));
    }

    private static Map<String, String> settings(String typed, String list) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "policy '" + typed + "': '" + setting.strip() + "' is not of the form parameter=value");
            }
            String name = setting.substring(0, equals).strip();
            if (settings.put(name, setting.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException("policy '" + typed + "' sets " + name + " twice");
            }
        }
        return settings;
    }

    /** {@return the values by name, in the order of the parameters}, the usual ones where there is no setting. */
    Map<String, Double> values(List<PolicyParameter> parameters) {
        for (String name : settings.keySet()) {
            if (parameters.stream().noneMatch(parameter -> parameter.name().equals(name))) {
                throw new IllegalArgumentException(policy + " has no parameter \"" + name + "\"; it has "
                        + (parameters.isEmpty() ? "none" : list(parameters)));
            }
        }
        Map<String, Double> values = new LinkedHashMap<>();
        for (PolicyParameter parameter : parameters) {
            String text = settings.get(parameter.name());
            double value = text == null ? parameter.usual() : parameter.parse(text);
            if (Double.isNaN(value)) {
                throw new IllegalArgumentException(policy + ": " + parameter.name() + " must be a "
                        + (parameter.whole() ? "whole number" : "number") + " from " + parameter.range() + ", not '"
                        + text + "'; parameters of " + policy + ": " + list(parameters));
            }
            values.put(parameter.name(), value);
        }
        return values;
    }

    /** {@return the same policy in the one way in which reports write it} The parameters are in their own order. */
    String normalized(List<PolicyParameter> parameters) {
        Map<String, Double> values = values(parameters);
        if (settings.isEmpty()) {
            return policy;
        }
        return policy
                + values.entrySet().stream()
                        .filter(entry -> settings.containsKey(entry.getKey()))
                        .map(entry -> entry.getKey() + "=" + PolicyParameter.text(entry.getValue()))
                        .collect(Collectors.joining(",", "(", ")"));
    }

    private static String list(List<PolicyParameter> parameters) {
        return parameters.stream().map(PolicyParameter::toString).collect(Collectors.joining(", "));
    }
}
