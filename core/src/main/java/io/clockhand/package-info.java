// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** The front door: page pools and the guards through which pages are read and changed. */
package io.clockhand;
