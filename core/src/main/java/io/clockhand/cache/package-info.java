// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The object cache: holders by key, for engines that keep their own page, file or statement objects.
 */
package io.clockhand.cache;
