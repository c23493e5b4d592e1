// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A transactional store of keys and values on the page pool and the log file: an example, to be read and copied.
 * {@link io.clockhand.example.Store} is where to begin.
 */
package io.clockhand.example;
