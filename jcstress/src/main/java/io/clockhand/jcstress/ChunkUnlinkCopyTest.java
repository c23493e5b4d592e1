// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(ChunkUnlinkTest.class)
@State
public class ChunkUnlinkCopyTest {
    private final UnlinkedChunk chunk = new TinyUnlinkedChunk();

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
