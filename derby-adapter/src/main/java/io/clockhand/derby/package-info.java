// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** Apache Derby's cache interfaces on Clockhand. */
package io.clockhand.derby;
