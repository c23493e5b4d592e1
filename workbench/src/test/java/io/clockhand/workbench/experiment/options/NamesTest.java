// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void helpListsThePoliciesThatTheLibraryLists() {
        assertThatThrownBy(() -> Policies.create("x", 1))
                .hasMessageEndingWith(" Possible are " + String.join(", ", PolicyNames.chosen(Policies.names()))
                        + PolicyNames.COMBINED);
    }

    @Test
    void nearestNameIsTheOneWithTheFewestChanges() {
        assertThat(Names.unknown("policy", "siev", List.of("fifo", "sieve", "lirs")))
                .isEqualTo("unknown policy 'siev'; did you mean sieve? Possible: fifo, sieve, lirs");
        assertThat(Names.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Names.distance("", "abc")).isEqualTo(3);
    }
}
