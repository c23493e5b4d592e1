// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.derby.iapi.store.raw.ContainerKey;
import org.apache.derby.iapi.store.raw.PageKey;
import org.junit.jupiter.api.Test;

class KeyTagsTest {
    private static final long[] SEGMENTS = {0, -1, 1, 2, -2, Long.MAX_VALUE};
    private static final long[] NUMBERS = {
        0,
        1,
        2,
        1152,
        (1 << 20) - 1,
        1 << 20,
        (1 << 29) - 1,
        1 << 29,
        (1L << 32) - 1,
        1L << 32,
        (1L << 41) - 1,
        1L << 41,
        1L << 61,
        Long.MAX_VALUE,
        -1,
        Long.MIN_VALUE
    };

    private static List<Object> keys() {
        List<Object> keys = new ArrayList<>();
        for (long segment : SEGMENTS) {
            for (long container : NUMBERS) {
                keys.add(new ContainerKey(segment, container));
                for (long page : NUMBERS) {
                    keys.add(new PageKey(new ContainerKey(segment, container), page));
                }
            }
        }
        keys.add("a text");
        keys.add(42L);
        return keys;
    }

    @Test
    void equalKeysHaveEqualTags() {
        List<Object> twins = keys();
        List<Object> keys = keys();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(twins.get(i)).isEqualTo(keys.get(i));
            assertThat(KeyTags.of(twins.get(i))).isEqualTo(KeyTags.of(keys.get(i)));
        }
    }

    @Test
    void tagThatIsNotNegativeBelongsToOneKey() {
        Map<Long, Object> keys = new HashMap<>();
        for (Object key : keys()) {
            long tag = KeyTags.of(key);
            if (tag >= 0) {
                assertThat(keys.put(tag, key))
                        .as("the other key with the tag of %s", key)
                        .isNull();
            }
        }
    }

    @Test
    void keysAsDerbyGivesThemHaveATagOfTheirOwn() {
        ContainerKey table = new ContainerKey(0, 1153);
        long whenDerbyBooted = 1_800_000_000_000L; // milliseconds, in 2027
        ContainerKey temporary = new ContainerKey(-1, whenDerbyBooted);

        assertThat(List.of(
                        table,
                        temporary,
                        new PageKey(table, 0),
                        new PageKey(table, 3_000_000_000L),
                        new PageKey(temporary, 1_000_000)))
                .allSatisfy(key -> assertThat(KeyTags.of(key)).isNotNegative());
        assertThat(KeyTags.of("a text")).isNegative();
    }
}
