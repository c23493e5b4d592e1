// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Two threads fix a page whose first read fails, one with a pin, the other with a share. Of an optimistic pool each of
 * them reads it, and both use one buffer; of the other pool one reads, and the other waits.
 */
@JCStressTest
@Outcome(id = "right, right, whole", expect = ACCEPTABLE, desc = "The read that failed was not needed.")
@Outcome(
        id = "failed, right, whole",
        expect = ACCEPTABLE,
        desc = "The second tried again, or had read the page itself.")
@Outcome(id = "right, failed, whole", expect = ACCEPTABLE, desc = "The first tried again, or had read the page itself.")
@Outcome(id = "failed, failed, whole", expect = ACCEPTABLE, desc = "The failure reached both.")
@Outcome(expect = FORBIDDEN, desc = "Wrong bytes, or a frame or a buffer was lost.")
@State
public class ColdPageTest {
    private static final long PAGE = 7;

    private final PagePool pool =
            TwoFrames.over(new FailsOnce(), ThreadLocalRandom.current().nextBoolean());

    /** The first read fails. */
    private static final class FailsOnce extends AnyPages {
        private final AtomicInteger failuresLeft = new AtomicInteger(1);

        @Override
        public void read(long id, ByteBuffer target) throws IOException {
            if (failuresLeft.get() > 0 && failuresLeft.getAndDecrement() > 0) {
                throw new IOException("injected");
            }
            target.putLong(id).putLong(id);
        }
    }

    @Actor
    public void pinner(LLL_Result r) {
        r.r1 = TwoFrames.read(pool, PAGE, word -> word == PAGE ? "right" : "wrong");
    }

    @Actor
    public void sharer(LLL_Result r) {
        try {
            FrameRef read = pool.newRef();
            int frame = pool.share(PAGE, read);
            if (frame != PagePool.SHARED) {
                pool.latches().acquireShared(frame, Long.MAX_VALUE);
                pool.beginShared(frame, read);
                pool.unpin(frame);
            }
            int buffer = read.buffer();
            long first = pool.memory().getLong(buffer, 0);
            long second = pool.memory().getLong(buffer, Long.BYTES);
            read.endShare();
            r.r2 = first == PAGE && second == PAGE ? "right" : "wrong";
        } catch (IOException e) {
            r.r2 = "failed";
        }
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = TwoFrames.check(pool, "whole");
    }
}
