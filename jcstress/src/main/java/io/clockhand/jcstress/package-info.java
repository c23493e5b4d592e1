// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** Each protocol under jcstress: {@code XxxTest} must hold, its twin {@code XxxBrokenTest} must fail. */
package io.clockhand.jcstress;
