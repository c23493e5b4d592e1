// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Steps that must not fail for want of memory, each run for the first time in a JVM: by then the JVM must have loaded
 * their classes and linked their calls.
 */
@Tag("nightly")
class FirstStepsTest {
    @ParameterizedTest
    @EnumSource
    void firstOfItsKindAllocatesNothing(FirstSteps.Step step) throws Exception {
        String output = ChildJvm.run(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UseTLAB", // so that the JVM counts each byte at once
                "-cp",
                System.getProperty("java.class.path"),
                FirstSteps.class.getName(),
                step.name()));

        assertThat(output.strip()).as("%s, the first in its JVM", step).isEqualTo("allocated=0");
    }
}
