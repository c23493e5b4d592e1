// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link DerbyCallers} recognizes that Derby finds an allocation page. */
class DerbyCallersTest extends ManagerTest {
    @Test
    void nobodyElseIsTakenForIt() {
        assertThat(DerbyCallers.holdAllocationMonitor()).isFalse();
        assertThat(getAllocPage()).as("in another class").isFalse();
    }

    private static boolean getAllocPage() {
        return DerbyCallers.holdAllocationMonitor();
    }

    /** The cache asks for the callers about as deep in the stack as it checks a victim. */
    @Test
    void callerOfAFindThatSeeksAVictimIsFound() throws Exception {
        ClockhandCacheManager cache = cache(4);
        cache.useDaemonService(new FakeDaemon());
        for (int key = 0; key < 4; key++) {
            soil(cache, key);
        }
        List<Boolean> found = new ArrayList<>();
        objects.onIsDirty = object -> found.add(DerbyCallers.include(getClass().getName(), "findAsDerbyDoes"));

        findAsDerbyDoes(cache);

        assertThat(found).isNotEmpty().containsOnly(true);
    }

    private static void findAsDerbyDoes(ClockhandCacheManager cache) throws Exception {
        touch(cache, "next");
    }

    @Test
    void derbyHasTheMethodThatWeLookFor() throws Exception {
        Method[] methods = Class.forName(DerbyCallers.ALLOCATION_CLASS).getDeclaredMethods();
        assertThat(Arrays.stream(methods).map(Method::getName)).contains(DerbyCallers.ALLOCATION_METHOD);
    }
}
