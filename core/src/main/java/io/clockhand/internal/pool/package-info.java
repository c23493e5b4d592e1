// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The engine room: pins, victims and the one copy of the miss protocol, in frame numbers. It knows the policy and the
 * frames; the doors stand on it.
 */
package io.clockhand.internal.pool;
