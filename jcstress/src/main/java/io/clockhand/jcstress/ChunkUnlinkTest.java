// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A page that is mapped while the hand unlinks its chunk is found. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "Found.")
@Outcome(expect = FORBIDDEN, desc = "Mapped in a chunk that is no longer linked.")
@State
public class ChunkUnlinkTest {
    private final UnlinkedChunk chunk = new CoreUnlinkedChunk();

    @Actor
    public void mapper(Z_Result r) {
        chunk.map();
        r.r1 = chunk.find();
    }

    @Actor
    public void hand() {
        chunk.visit();
    }
}
