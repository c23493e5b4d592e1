// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Clockhand, a buffer manager for JVM database engines: the page pool ({@link io.clockhand.page.BufferPool}), and what is common to all
 * doors: exceptions and waits. The object
 * cache is in {@link io.clockhand.cache}, the replacement policies in {@link io.clockhand.policy}, files in {@link io.clockhand.io}.
 */
package io.clockhand;
