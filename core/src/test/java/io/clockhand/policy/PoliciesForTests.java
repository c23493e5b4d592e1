// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Policies in states that their factory does not offer. */
public final class PoliciesForTests {
    /** {@return the clock whose weights are at their cap from the first: first in, first out} */
    public static ReplacementPolicy firstInFirstOut(int frames) {
        return new NbGclock(frames, 1, ClockHand.ATOMIC);
    }

    private PoliciesForTests() {}

    /**
     * {@return Nb-GCLOCK with weights up to 3, whose hand starts at a position}
     *
     * @param frames the frames
     * @param hand the kind of hand
     * @param position where the hand is
     */
    public static ReplacementPolicy nbGclockWithHandAt(int frames, ClockHand hand, long position) {
        return new NbGclock(frames, 3, hand, position);
    }

    /** Throws if a page in a frame of the policy is a ghost; for pages whose identities differ. */
    public static void checkGhosts(ReplacementPolicy policy) {
        if (policy instanceof SelfChecking structures) {
            structures.checkGhosts();
        }
    }

    /** Throws if the lists of a policy, if it has any, are no lists any more. */
    public static void checkIntegrity(ReplacementPolicy policy) {
        if (policy instanceof SelfChecking structures) {
            structures.checkIntegrity();
        }
    }
}
