// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** DirtyCheck-up tables, which know nothing of what they lead to. */
package io.clockhand.internal.table;
