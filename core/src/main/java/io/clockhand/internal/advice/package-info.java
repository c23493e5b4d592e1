// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Estimates of the hit ratio of a cache at other sizes and with other policies. Knows identities and policies only, and
 * depends on {@code policy} and {@code io.clockhand} only.
 */
package io.clockhand.internal.advice;
