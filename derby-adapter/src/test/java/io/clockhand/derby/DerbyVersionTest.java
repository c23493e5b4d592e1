// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.derby.tools.sysinfo;
import org.junit.jupiter.api.Test;

/** The build runs these tests with more than one Derby; this one notices if it did not. */
class DerbyVersionTest {
    @Test
    void derbyIsTheOneThatTheBuildChose() {
        assertThat(sysinfo.getVersionString()).isEqualTo(System.getProperty("clockhand.test.derby"));
    }
}
