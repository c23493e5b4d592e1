// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.tpcc.load.Scale;

/**
 * Load a database of this scale into a directory that does not exist yet.
 *
 * @param database the directory
 * @param scale of the population
 */
public record LoadOrder(String database, Scale scale) {}
