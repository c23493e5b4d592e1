// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A page of zeros that is created. */
class CreatedPageTest {
    /** Other threads can use the page, and a miss can take its frame, as soon as the policy knows it. */
    @Test
    void pageThatMustBeWrittenBeforeItIsReadIsDirtyWhenThePolicyLearnsOfIt() throws IOException {
        StampedStore store = new StampedStore(4) {
            @Override
            public boolean needsFirstWrite() {
                return true;
            }
        };
        List<Integer> dirty = new ArrayList<>();
        BufferPool[] creating = {null};
        try (BufferPool pool = small().policy("noting", frames -> new ForwardingPolicy(Policies.create("lru", frames)) {
                    @Override
                    public void onLoad(int frame, long identity, int generation) {
                        dirty.add(creating[0].dirtyPages());
                        super.onLoad(frame, identity, generation);
                    }
                })
                .tuning(t -> t.flushThreads(0))
                .build()) {
            creating[0] = pool;
            PagedFile file = pool.open(0, store);
            pool.fix(file.id(0)).close();
            file.create().close();
            assertThat(dirty)
                    .as("dirty pages as a page is read, and as one is created")
                    .containsExactly(0, 1);
        }
    }
}
