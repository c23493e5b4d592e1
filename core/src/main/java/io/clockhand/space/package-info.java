// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** A map of the free space in the data pages of an engine, which many threads update at the same time. */
package io.clockhand.space;
