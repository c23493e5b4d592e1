// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The object cache: holders by key, for engines with page, file or statement objects of their own.
 */
package io.clockhand.cache;
