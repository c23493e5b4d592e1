// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.derby.ClockhandCacheFactory;
import io.clockhand.workbench.derby.driver.InterceptedCache;
import io.clockhand.workbench.derby.driver.InterceptedCache.Call;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.CacheableFactory;

/**
 * Clockhand's cache, which says at one step of Derby's recovery that it has got there, and stops for good to be killed.
 *
 * <p>A step is a page that recovery asks for, and both the begin and the end of writing all pages back for the
 * checkpoint that concludes it. The end of recovery stops it in any case, and tells the number of steps.
 *
 * <p>Recovery is not killed at any other moment, because Derby itself does not survive each of them, whatever its
 * cache: in the concluding checkpoint, and only there, it names the checkpoint's record in {@code log.ctrl} before it
 * writes the record to the log ({@code CheckpointOperation.doMe} takes the end of every recovery for a roll-forward
 * recovery). Killed between the two, it starts the next recovery without that record and fails with XSLAO.
 */
public final class StallingCacheFactory implements CacheFactory {
    /** The system property with the number of the step, 1 being the first. */
    public static final String STEP = "clockhand.test.step";

    /** Begins the line that says at which step it is. */
    public static final String REACHED = "reached ";

    /** Begins the line that says how many steps recovery has taken. */
    public static final String RECOVERED = "recovered ";

    private final int last = Integer.getInteger(STEP, Integer.MAX_VALUE);
    /** Recovery has only one thread. */
    private int steps;

    /** Called by Derby. */
    public StallingCacheFactory() {}

    @Override
    public CacheManager newCacheManager(CacheableFactory holders, String name, int initialSize, int maximumSize) {
        return InterceptedCache.of(
                new ClockhandCacheFactory(), holders, name, initialSize, maximumSize, this::stepThrough);
    }

    private Object stepThrough(CacheManager cache, String method, Object[] arguments, Call call) throws Throwable {
        switch (method) {
            case "find", "create", "cleanAll" -> step();
            case "useDaemonService" -> stall(RECOVERED); // Derby calls this when recovery is over
            default -> {}
        }
        Object result = call.proceed();
        if (method.equals("cleanAll")) {
            step();
        }
        return result;
    }

    private void step() throws InterruptedException {
        if (++steps == last) {
            stall(REACHED);
        }
    }

    private void stall(String where) throws InterruptedException {
        CrashRun.say(List.of(where + steps));
        new CountDownLatch(1).await();
    }
}
