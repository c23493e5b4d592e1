// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** Pages of files by id: the pool, its files, guards and optimistic readers. */
package io.clockhand.page;
