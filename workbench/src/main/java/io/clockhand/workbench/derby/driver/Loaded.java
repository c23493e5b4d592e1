// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

/**
 * A loaded database.
 *
 * @param allocatedPages of all tables and indexes
 */
public record Loaded(long allocatedPages) {}
