// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.options;

/** Knows the values of an option by the names with which they are typed. */
public interface Labels {
    String label(Object value);
}
