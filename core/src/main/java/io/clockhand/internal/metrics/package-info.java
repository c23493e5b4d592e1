// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * What can be watched from outside: events of the JDK's Flight Recorder, and management beans. Numbers and names only come in here; this
 * room knows no other.
 */
package io.clockhand.internal.metrics;
