// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** {@link DerbyCallers} recognizes that Derby finds an allocation page. */
class DerbyCallersTest {
    @Test
    void nobodyElseIsTakenForIt() {
        assertThat(DerbyCallers.holdAllocationMonitor()).isFalse();
        assertThat(getAllocPage()).as("in another class").isFalse();
    }

    private static boolean getAllocPage() {
        return DerbyCallers.holdAllocationMonitor();
    }

    @Test
    void derbyHasTheMethodThatWeLookFor() throws Exception {
        Method[] methods = Class.forName(DerbyCallers.ALLOCATION_CLASS).getDeclaredMethods();
        assertThat(Arrays.stream(methods).map(Method::getName)).contains(DerbyCallers.ALLOCATION_METHOD);
    }
}
