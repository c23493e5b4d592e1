// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Each protocol of the library under jcstress. {@code XxxTest} must hold; its twin {@code XxxBrokenTest} leaves out the
 * one step that matters and must fail, or the test would pass by luck.
 */
package io.clockhand.jcstress;
