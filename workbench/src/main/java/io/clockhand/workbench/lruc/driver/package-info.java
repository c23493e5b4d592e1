// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The references of the experiments with LRU-C: {@link io.clockhand.workbench.lruc.driver.TpccStream} has the skew and
 * the writes of TPC-C. A recorded trace is played by a {@link io.clockhand.workbench.pages.driver.WorkloadStream}.
 */
package io.clockhand.workbench.lruc.driver;
