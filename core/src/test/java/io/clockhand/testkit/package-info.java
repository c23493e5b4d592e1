// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the interfaces that an application may implement, and checks for its own tests. They are published as the
 * artifact {@code clockhand-core} with the classifier {@code testkit}, use the public API only, and need JUnit
 * Jupiter and AssertJ.
 */
package io.clockhand.testkit;
