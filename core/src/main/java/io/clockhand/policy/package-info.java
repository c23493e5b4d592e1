// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Replacement policies: who must leave when room is needed. They know frames by number only, and nothing of pages,
 * holders, tables or files.
 */
package io.clockhand.policy;
