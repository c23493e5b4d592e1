// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Compares processes that live at once and run in turn.
 *
 * <p>A {@link io.clockhand.duel.Referee} lets each {@link io.clockhand.duel.Contender} run for a fraction of a second
 * while the others are stopped. {@link io.clockhand.duel.Bootstrap} computes ratios with intervals from the slices. A
 * child counts its operations with a {@link io.clockhand.duel.SliceClock}.
 */
package io.clockhand.duel;
