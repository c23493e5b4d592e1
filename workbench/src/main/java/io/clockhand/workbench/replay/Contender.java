// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A way to run a pool.
 *
 * @param policy as typed
 * @param hand null if the policy has none
 */
record Contender(String policy, ClockHand hand, PageIn pageIn) {

    /** Every policy with every way of page-in, and with every hand if it has one. */
    static List<Contender> all(List<String> policies, List<ClockHand> hands, List<PageIn> pageIns) {
        List<Contender> all = new ArrayList<>();
        for (String policy : policies) {
            List<ClockHand> own = Policies.hasHand(policy) ? hands : Collections.singletonList(null);
            for (ClockHand hand : own) {
                for (PageIn pageIn : pageIns) {
                    all.add(new Contender(policy, hand, pageIn));
                }
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return policy + (hand == null ? "" : ", " + hand.label() + " hand") + ", " + pageIn.label() + " page-in";
    }
}
