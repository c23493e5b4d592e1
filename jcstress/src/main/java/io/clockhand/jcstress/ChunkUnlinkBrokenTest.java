// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Broken: the hand sees that a chunk is empty, and unlinks it without freezing it. */
@JCStressTest
@JCStressMeta(ChunkUnlinkTest.class)
@State
public class ChunkUnlinkBrokenTest {
    private final UnlinkedChunk chunk = new TinyUnlinkedChunk() {
        @Override
        boolean tryFreeze(AtomicInteger chunk) {
            return chunk.get() == EMPTY;
        }
    };

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
