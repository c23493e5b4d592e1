// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Names with parameters. */
class PolicyNameTest {
    private static final int FRAMES = 100;
    private static final int PAGES = 400;

    static List<String> names() {
        return Policies.names();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lru|lru",
                "2q(in=0.3,out=0.6)|2q(in=0.3,out=0.6)",
                "2q( out = 1.0, in = 0.30 )|2q(in=0.3,out=1)",
                "bp:2q(in=.25)|bp:2q(in=0.25)",
                "mq(queues=8.0)|mq(queues=8)"
            })
    void namesAreWrittenInOneWay(String typed, String normalized) {
        assertThat(Policies.normalized(typed)).isEqualTo(normalized);
        assertThat(Policies.create(typed, FRAMES)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "belady(in=1)|there is no policy 'belady'",
                "2q (in=0.3)|there is no policy '2q '",
                "bp:lirr|did you mean bp:lirs? Possible are nb-gclock3, nb-gclock, 2r-gclock, lru, clock, 2q,",
                "bp:lirr|; also with a form before the name (bp:, buffered:, locked: or spin:, as in bp:lru)",
                "2q(inn=0.3)|2q has no parameter \"inn\"; it has in (fraction of the frames, 0.01 to 0.9,",
                "2q(inn=0.3)|, default 0.25)",
                "lru(in=0.3)|it has none",
                "2q(in=much)|from 0.01 to 0.9, not 'much'",
                "2q(in=)|not ''",
                "2q(in=NaN)|not 'NaN'",
                "2q(in=0.91)|not '0.91'",
                "mq(queues=2.5)|must be a whole number from 1 to 31",
                "2q(in=0.3,in=0.4)|sets in twice",
                "2q()|is not of the form parameter=value",
                "2q(in=0.3,)|is not of the form parameter=value",
                "2q(in=0.3|has no ) at its end",
                "2q in=0.3)|no ( before it",
                "2q(in=0.3)x|goes on after its )",
            })
    void wrongNamesAreRefusedWithWhatIsPossible(String typed, String message) {
        assertThatThrownBy(() -> Policies.normalized(typed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThatThrownBy(() -> Policies.create(typed, FRAMES)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("names")
    void defaultsGiveTheHitsOfThePlainName(String name) {
        List<PolicyParameter> parameters = Policies.parameters(name);
        String explicit = parameters.isEmpty()
                ? name
                : parameters.stream()
                        .map(parameter -> parameter.name() + "=" + PolicyParameter.text(parameter.usual()))
                        .collect(Collectors.joining(",", name + "(", ")"));
        assertThat(hits(explicit)).isEqualTo(hits(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gclock(cap=2)|clock",
                "gclock(cap=3)|gclock3",
                "nb-gclock(cap=3)|nb-gclock3",
                "mq(queues=1)|lru",
            })
    void aParameterMakesAPolicyAnotherOne(String parametrised, String other) {
        assertThat(hits(parametrised)).isEqualTo(hits(other));
        assertThat(hits(parametrised)).isNotEqualTo(hits(parametrised.substring(0, parametrised.indexOf('('))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2q(in=0.9)",
                "2q(out=4)",
                "lirs(cold=0.5)",
                "lirs(ghosts=0.01)",
                "mq(life=0.1)",
                "clock-pro(cold=0.5)",
                "s3-fifo(small=0.5)",
                "s3-fifo(hits=1)",
                "w-tinylfu(window=0.5)",
                "w-tinylfu(protected=0.1)",
                "2r-gclock(cold=0.5)",
                "2r-gclock-adaptive(cold=0.4)"
            })
    void eachParameterChangesTheHits(String parametrised) {
        assertThat(hits(parametrised)).isNotEqualTo(hits(parametrised.substring(0, parametrised.indexOf('('))));
    }

    @Test
    void aNameWithParametersHasTheHandOfItsPolicy() {
        assertThat(Policies.hasHand("nb-gclock(cap=5)")).isTrue();
        assertThat(Policies.hasHand("2q(in=0.3)")).isFalse();
    }

    /** Skewed references, with scans between them. */
    private static int hits(String policy) {
        PooledPages pool = new PooledPages(Policies.create(policy, FRAMES), FRAMES, PAGES);
        Random random = new Random(7);
        int hits = 0;
        for (int i = 0; i < 20_000; i++) {
            double drawn = random.nextDouble();
            int page = i % 1000 < 150 ? (i % 1000 + 250) % PAGES : (int) (PAGES * drawn * drawn * drawn);
            hits += pool.reference(page) ? 1 : 0;
        }
        return hits;
    }
}
