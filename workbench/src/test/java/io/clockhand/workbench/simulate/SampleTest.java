// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SampleTest extends CommandRuns {

    @Test
    void sampleHasAboutAsManyPagesAsAreWantedNumberedFromZero() {
        Sample sample = Sample.of(100_000, 10_000, 7);
        List<Integer> numbers = new ArrayList<>();
        for (int page = 0; page < 100_000; page++) {
            if (sample.of(page) != Sample.SKIPPED) {
                numbers.add(sample.of(page));
            }
        }

        assertThat(sample.pages()).isBetween(9_600, 10_400); // four standard deviations
        assertThat(sample.rate()).isEqualTo(sample.pages() / 100_000.0);
        assertThat(numbers).hasSize(sample.pages()).isSorted().startsWith(0).endsWith(sample.pages() - 1);
        assertThat(sample.frames(100_000)).isEqualTo(sample.pages());
        assertThat(sample.frames(1)).isEqualTo(1);
        assertThat(Sample.of(100, 100, 7)).isNull();
        assertThat(Sample.of(100, 0, 7)).isNull();
    }

    @Test
    void missingReferencesOfASampleAreTakenForHits() {
        Sample sample = Sample.of(100_000, 10_000, 7);
        long all = Math.round(1_000 / sample.rate());

        assertThat(sample.hitRatio(400, 900, all)).isCloseTo(0.5, offset(1e-3));
        assertThat(sample.hitRatio(0, 1_200, all)).isZero();
        assertThat(sample.hitRatio(900, 900, all)).isEqualTo(1);
    }

    /** Zipf's law, where one page has a share of the references that no sample can have in part. */
    @Test
    void estimateIsNearTheCount() throws IOException {
        compareEstimates("--policies lru,opt --frames 10% --accesses 100000 --warmup-accesses 100000");
    }

    @Tag("nightly")
    @Test
    void estimateIsNearTheCountForEveryPolicy() throws IOException {
        compareEstimates("--policies lru,2q,lirs,nb-gclock3,opt --frames 2%,10%,40% --accesses 400000"
                + " --warmup-accesses 200000");
    }

    private void compareEstimates(String cells) throws IOException {
        JsonNode counted = results(cells);
        JsonNode estimated = results(cells + " --sample-pages 12500");

        for (int i = 0; i < counted.size(); i++) {
            assertThat(estimated.get(i).get("sampleRate").doubleValue()).isBetween(0.23, 0.27);
            assertThat(estimated.get(i).get("hitPercent").doubleValue())
                    .as("%s", estimated.get(i))
                    .isCloseTo(counted.get(i).get("hitPercent").doubleValue(), offset(2.0));
        }
    }

    @Test
    void curveHasItsSizesAndIsAnEstimate() throws IOException {
        JsonNode results = results("--curve --policies lru,opt --accesses 50000 --warmup-accesses 0");

        assertThat(results).hasSize(2 * 17);
        assertThat(json().get("traces").get(0).get("sampledPages").intValue()).isBetween(15_800, 17_000);
        assertThat(json().get("note").textValue()).contains("estimated from a sample");
        assertThat(printed()).contains("0.5% = 250  ");
        double before = 0;
        for (JsonNode result : results) {
            double percent = result.get("hitPercent").doubleValue();
            assertThat(percent)
                    .isGreaterThanOrEqualTo(result.get("framesPercent").doubleValue() < 0.51 ? 0 : before);
            before = percent;
        }
    }
}
