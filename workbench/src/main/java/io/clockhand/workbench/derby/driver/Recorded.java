// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

/**
 * The counts of a recording.
 *
 * @param pages different ones
 * @param writes references that changed their page
 */
public record Recorded(long references, long pages, long writes) {}
