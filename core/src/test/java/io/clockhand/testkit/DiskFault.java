// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.testkit.DiskCall.Operation;
import java.util.EnumSet;
import java.util.Set;

/** The faults that a {@link FaultRule} can inject into calls of a {@link SimulatedDisk}. */
public enum DiskFault {
    /** A read fails, as with EIO. */
    READ_ERROR,
    /** A read transfers a part of the bytes: a file returns fewer bytes, a page store throws. */
    SHORT_READ,
    /** A write fails, as with EIO, and writes nothing. */
    WRITE_ERROR,
    /** A write that ends behind the end of the file fails, as with ENOSPC, and writes nothing. */
    NO_SPACE,
    /** A write transfers the first part of the bytes: a file returns fewer bytes, a page store throws. */
    SHORT_WRITE,
    /** A write fails after some of its sectors were written. */
    TORN_WRITE,
    /** A truncation fails and changes nothing. */
    TRUNCATE_ERROR,
    /**
     * A force fails. As on Linux, the writes since the last force never reach the device: reads still see them, and the
     * next force succeeds without them.
     */
    FAILED_FORCE,
    /** A call takes longer. */
    DELAY,
    /** The calling thread is interrupted during the call, which succeeds. */
    INTERRUPT,
    /**
     * The power fails during the call. This call and all later ones fail, until {@link SimulatedDisk#crash()} decides
     * which writes have survived; a write during which the power failed is one of them.
     */
    POWER_LOSS;

    /** {@return whether the call fails, or transfers less than it should} */
    boolean isFailure() {
        return this != DELAY && this != INTERRUPT;
    }

    /** {@return the operations that it can hit} */
    Set<Operation> operations() {
        return switch (this) {
            case READ_ERROR, SHORT_READ -> EnumSet.of(Operation.READ);
            case WRITE_ERROR, NO_SPACE, SHORT_WRITE, TORN_WRITE -> EnumSet.of(Operation.WRITE);
            case TRUNCATE_ERROR -> EnumSet.of(Operation.TRUNCATE);
            case FAILED_FORCE -> EnumSet.of(Operation.FORCE);
            case DELAY, INTERRUPT, POWER_LOSS -> EnumSet.allOf(Operation.class);
        };
    }

    /** {@return whether it can have an effect on a call of one of these operations} */
    boolean canHit(DiskCall call) {
        return switch (this) {
            case NO_SPACE -> call.isExtending();
            case SHORT_READ, SHORT_WRITE -> call.bytes() > 1;
            default -> true;
        };
    }

    /** {@return the text of the operating system's error} */
    String message() {
        return this == NO_SPACE ? "No space left on device" : "Input/output error";
    }
}
