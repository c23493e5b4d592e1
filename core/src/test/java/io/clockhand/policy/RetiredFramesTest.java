// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that shrinks removes its growth frames from the policy: no list holds one any longer. */
class RetiredFramesTest {
    private static final int SOFT = 4;
    private static final int HARD = 12;
    private static final int PAGES = 100;

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void coldestNamesNoRetiredFrame(String name) {
        ReplacementPolicy policy = Policies.create(name, SOFT);
        PooledPages pages = new PooledPages(policy, SOFT, HARD, PAGES);
        List<Integer> pinned = new ArrayList<>();
        for (int page = 0; page < HARD; page++) {
            pinned.add(pages.pin(page));
        }
        assertThat(pages.frames()).isEqualTo(HARD);
        pinned.forEach(pages::unpin);
        for (int page = HARD; pages.frames() > SOFT && page < PAGES; page++) {
            pages.reference(page);
        }
        assertThat(pages.frames()).isEqualTo(SOFT);

        List<Integer> named = new ArrayList<>();
        policy.coldest(HARD, named::add);

        assertThat(named).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(named).allMatch(pages::isLoaded);
        PoliciesForTests.checkIntegrity(policy);
    }
}
