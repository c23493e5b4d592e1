// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Broken: the loader looks the file up before it maps the page, and not again. */
@JCStressTest
@JCStressMeta(FileNumberTest.class)
@State
public class FileNumberStaleBrokenTest {
    private final ReusedNumber number = new ReusedNumber() {
        private final Map<Thread, OnePage> found = new ConcurrentHashMap<>();

        @Override
        public void check(long id) {
            if (!found.containsKey(Thread.currentThread())) {
                super.check(id);
                found.put(Thread.currentThread(), store);
            }
        }

        @Override
        public void read(long id, ByteBuffer target) {
            found.get(Thread.currentThread()).read(0, target);
        }
    };

    @Actor
    public void reader(LLL_Result r) {
        r.r1 = number.use();
    }

    @Actor
    public void opener(LLL_Result r) {
        r.r2 = number.reuse();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = number.end();
    }
}
