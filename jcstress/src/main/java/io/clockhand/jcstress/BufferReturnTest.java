// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.BufferLine;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.UnusedBytes;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** No buffer is lost: a thread lines up for a buffer while another returns the only one. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The waiter took the buffer because of its return.")
@Outcome(expect = FORBIDDEN, desc = "The waiter slept on after the return, or gave up before its time.")
@State
public class BufferReturnTest extends WakeUp {
    public BufferReturnTest() {
        super(new ReturnedBuffer());
    }

    /** A buffer that is returned, and a thread that waits for any buffer. */
    private static final class ReturnedBuffer implements Signal {
        private final long waitNanos = longWait().toNanos();
        private final FrameMemory memory = UnusedBytes.oneBuffer();
        private final BufferLine line = new BufferLine(memory);
        private final int buffer = memory.poll();

        /** Takes a buffer that was returned unnoticed when the time is over, so that the wait shows as too long. */
        @Override
        public boolean await() {
            return line.await(new BufferLine.Place(), waitNanos) != BufferLine.NONE
                    || memory.poll() != FrameMemory.NONE;
        }

        @Override
        public void change() {
            memory.offer(buffer);
            line.onFree();
        }

        @Override
        public long waitNanos() {
            return waitNanos;
        }
    }

    @Actor
    public void waiter(LL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void waker(LL_Result r) {
        change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
