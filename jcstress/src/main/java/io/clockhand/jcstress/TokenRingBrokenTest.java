// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.SharedRing;
import io.clockhand.policy.SharedRingWithoutOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: two threads take the same token. */
@JCStressTest
@JCStressMeta(TokenRingTest.class)
@State
public class TokenRingBrokenTest {
    private final SharedRing ring = new SharedRingWithoutOwner();
    private String added = "";
    private String first = "";
    private String second = "";

    @Actor
    public void exchanger() {
        String token = ring.offer(1);
        added = token + ring.offer(2);
        first = ring.poll();
    }

    @Actor
    public void taker() {
        second = ring.poll() + ring.poll();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = ring.end(added, first + second);
    }
}
