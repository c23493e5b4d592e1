// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

/**
 * Load these rows into a directory that does not exist yet.
 *
 * @param database the directory
 */
public record LoadOrder(String database, Rows rows) {}
