// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Flight Recorder events and management beans. Knows numbers and names only, and no other package.
 */
package io.clockhand.internal.metrics;
