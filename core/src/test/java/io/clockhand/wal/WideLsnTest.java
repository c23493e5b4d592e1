// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** LSNs of ten bytes: their parts, their order and their limits. */
class WideLsnTest {
    private static final long GREATEST = 0xFFFF_FFFFL;

    @Test
    void partsAreThoseThatItWasMadeOf() {
        WideLsn lsn = WideLsn.of(0x8000_0001L, 0xFFFF_FFFEL, 32_767);
        assertThat(lsn.file()).isEqualTo(0x8000_0001L);
        assertThat(lsn.block()).isEqualTo(0xFFFF_FFFEL);
        assertThat(lsn.slot()).isEqualTo(32_767);
        assertThat(lsn.position()).isEqualTo(0x8000_0001_FFFF_FFFEL);
        assertThat(lsn).hasToString("2147483649:4294967294:32767");
        assertThat(WideLsn.of(0, 0, 0)).isEqualTo(WideLsn.ZERO);
    }

    /** Files from 2³¹ on make the position negative. */
    @Test
    void orderIsByFileThenBlockThenSlotAllOfThemUnsigned() {
        List<WideLsn> ascending = List.of(
                WideLsn.ZERO,
                WideLsn.of(0, 0, 1),
                WideLsn.of(0, 0, 32_767),
                WideLsn.of(0, 1, 0),
                WideLsn.of(0, GREATEST, 5),
                WideLsn.of(1, 0, 0),
                WideLsn.of(0x7FFF_FFFFL, GREATEST, 9),
                WideLsn.of(0x8000_0000L, 0, 0),
                WideLsn.of(GREATEST, GREATEST, 32_766),
                WideLsn.of(GREATEST, GREATEST, 32_767));
        for (int one = 0; one < ascending.size(); one++) {
            for (int other = 0; other < ascending.size(); other++) {
                assertThat(Integer.signum(ascending.get(one).compareTo(ascending.get(other))))
                        .as("order of %s and %s", ascending.get(one), ascending.get(other))
                        .isEqualTo(Integer.compare(one, other));
            }
        }
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(-1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(GREATEST + 1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(0, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(0, GREATEST + 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(0, 0, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WideLsn(0, 32_768))
                .withMessageContaining("slot is 32768");
        assertThat(WideLsn.checkSlot(32_767)).isEqualTo(32_767);
    }
}
