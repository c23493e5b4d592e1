// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

/** Called while the terminals work. */
public interface Watch {
    /** The warm-up is over. */
    void onStart() throws Exception;

    /** Several times a second, with the part of the run that has passed. */
    void onTick(double fraction) throws Exception;

    /** Measuring is over; not called if the run was broken off. */
    void onEnd() throws Exception;
}
