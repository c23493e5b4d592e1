// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Clockhand, a buffer manager for JVM database engines. What is common to its doors: exceptions and waits. The object
 * cache is in {@link io.clockhand.cache}, the replacement policies in {@link io.clockhand.policy}.
 */
package io.clockhand;
