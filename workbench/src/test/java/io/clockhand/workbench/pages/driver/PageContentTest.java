// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageContentTest {
    @Test
    void contentSaysWhosePageItIs() {
        assertThat(PageContent.describe(PageContent.of(7))).isEqualTo("that of page 7");
        assertThat(PageContent.describe(0)).isEqualTo("0x0000000000000000, which is no page's");
    }
}
