// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Simulated devices: a {@link io.clockhand.workbench.pages.device.SimulatedSsd} decorates a store, and its requests
 * take the time that a {@link io.clockhand.workbench.pages.device.DeviceProfile} states. {@link
 * io.clockhand.workbench.pages.device.DevicePreset} has the devices of a paper, {@link
 * io.clockhand.workbench.pages.device.DeviceFigures} the latencies and the utilisation that a run got.
 */
package io.clockhand.workbench.pages.device;
