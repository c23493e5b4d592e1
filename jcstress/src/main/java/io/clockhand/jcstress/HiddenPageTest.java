// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads read a page at once; the read of the first one fails, and a third thread truncates the page then. No
 * look-up finds the page any more, but the truncation waits for the second read, too: after it the file may be closed.
 */
@JCStressTest
@Outcome(id = "in time, none", expect = ACCEPTABLE, desc = "The reads had ended when the truncation did.")
@Outcome(expect = FORBIDDEN, desc = "The page was read after its truncation, or a frame or a buffer was lost.")
@State
public class HiddenPageTest {
    private final HiddenPage page = new HiddenPage();

    private static final class HiddenPage extends AnyPages {
        private static final long PAGE = 7;
        /** How long the second read goes on after the first has failed: longer than a truncation. */
        private static final int READ_SPINS = 500;
        /** The most time between the failure of the first read and the truncation. */
        private static final int FAILURE_SPINS = 100;

        /** Made before: its stack trace would take longer than all the rest. */
        private final IOException failure = new IOException("for a test");

        private final PagePool pool = TwoFrames.over(this, true);
        private final AtomicInteger reads = new AtomicInteger();
        private volatile boolean failing;
        private volatile boolean exists = true;
        private volatile boolean truncated;
        /** Of the thread whose read is the second. */
        private boolean late;

        @Override
        public void check(long id) {
            if (!exists) {
                throw new NoSuchPageException("no page " + id);
            }
        }

        @Override
        public void read(long id, ByteBuffer target) throws IOException {
            int number = reads.incrementAndGet();
            if (number == 1) {
                while (reads.get() == 1) {
                    Thread.onSpinWait();
                }
                failing = true;
                throw failure;
            }
            if (number == 2) {
                awaitFailure();
                spin(READ_SPINS);
                late = truncated;
            }
            target.position(target.limit());
        }

        private void awaitFailure() {
            while (!failing) {
                Thread.onSpinWait();
            }
        }

        private static void spin(int times) {
            for (int i = 0; i < times; i++) {
                Thread.onSpinWait();
            }
        }

        String use() {
            return TwoFrames.read(pool, PAGE, word -> "used");
        }

        void truncateWhenOneReadFails() {
            awaitFailure();
            spin(ThreadLocalRandom.current().nextInt(FAILURE_SPINS));
            exists = false;
            try {
                pool.invalidate(PAGE, PAGE, false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            truncated = true;
        }

        String end() {
            return (late ? "late, " : "in time, ") + TwoFrames.check(pool, use());
        }
    }

    @Actor
    public void reader() {
        page.use();
    }

    @Actor
    public void otherReader() {
        page.use();
    }

    @Actor
    public void cutter() {
        page.truncateWhenOneReadFails();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = page.end();
    }
}
