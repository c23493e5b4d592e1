// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SchemeTest {
    @Test
    void eachNameIsAScheme() {
        assertThat(Scheme.names())
                .allSatisfy(name -> assertThat(Scheme.of(name, 100, 1).name()).isEqualTo(name));
    }

    @Test
    void rateIsScaledWithDeviceAndPool() {
        assertThat(Scheme.of("vanilla", 16_384, 1).pagesPerPeriod()).isEqualTo(1024);
        assertThat(Scheme.of("vanilla", 32_768, 10).pagesPerPeriod()).isEqualTo(205);
        assertThat(Scheme.of("vanilla-8192", 16_384, 10).pagesPerPeriod()).isEqualTo(819);
        assertThat(Scheme.of("war", 10, 10).pagesPerPeriod()).isEqualTo(1);
    }

    @Test
    void nameMayStateTheRate() {
        Scheme scheme = Scheme.of("lru-c:300", 10, 10);
        assertThat(scheme.pagesPerSecond()).isEqualTo(300);
        assertThat(Scheme.of("vanilla:7", 10, 10).periodNanos()).isEqualTo(1_000_000_000L);
        assertThat(scheme)
                .isEqualTo(
                        new Scheme("lru-c:300", 100, true, 0, Scheme.Flush.REGION, false, false, 30, 100_000_000, 256));
    }

    @Test
    void variantsDifferInOneEffect() {
        Scheme vanilla = Scheme.of("vanilla", 1000, 1);
        assertThat(Scheme.of("vanilla-serial", 1000, 1).serialFlush()).isTrue();
        assertThat(Scheme.of("vanilla-no-stall", 1000, 1).scanDepth()).isEqualTo(1000);
        assertThat(Scheme.of("cf-lru", 1000, 1).scanDepth()).isEqualTo(250);
        assertThat(vanilla.serialFlush()).isFalse();
        assertThat(vanilla.scanDepth()).isEqualTo(100);
        assertThat(Scheme.of("lru-c-full", 1000, 1).twoMutexes()).isTrue();
        assertThat(Scheme.of("lru-c-batch", 1000, 1).twoMutexes()).isFalse();
    }

    @Test
    void unknownSchemeIsRefusedWithTheNamesThatThereAre() {
        for (String name : new String[] {"clock", "clock:5"}) {
            assertThatThrownBy(() -> Scheme.of(name, 100, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no scheme " + name)
                    .hasMessageContaining("lru-c-full");
        }
    }

    @Test
    void rateIsAWholeNumber() {
        for (String number : new String[] {"", "0", "-5", "NaN", "x", "12345678"}) {
            assertThatThrownBy(() -> Scheme.of("vanilla:" + number, 100, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "the N of vanilla:N is a number of pages a second from 1 to 9999999, not '" + number + "'");
        }
    }

    @Test
    void wholeRegionHasNoRate() {
        assertThatThrownBy(() -> Scheme.of("lru-c-full:10", 100, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no rate");
        assertThat(Scheme.of("lru-c-full", 100, 10).periodNanos()).isEqualTo(10_000_000);
    }

    @Test
    void schemeThatMakesNoSenseIsRefused() {
        Scheme vanilla = Scheme.of("vanilla", 100, 1);
        assertThatThrownBy(() -> vanilla.scanning(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vanilla.flushing(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Scheme("both", 1, true, 8, Scheme.Flush.REGION, true, false, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Scheme("two", 1, true, 0, Scheme.Flush.TAIL, true, false, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
