// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jctools.maps.NonBlockingHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JCTools is optional: only the tables that need it ask for it. */
class OptionalJcToolsTest {
    private static final Path CORE = ChildJvm.locationOf(BufferPool.class);
    private static final Path PROGRAMS = ChildJvm.locationOf(TwoTables.class);
    private static final Path JCTOOLS = ChildJvm.locationOf(NonBlockingHashMap.class);

    private static final String CHAINED = String.format("CHAINED: 10 pages%nCHAINED: 10 keys%n");

    /** Where the JVM finds the library. */
    enum Place {
        CLASS_PATH {
            @Override
            List<String> flags(Path... libraries) {
                return List.of(
                        "-cp",
                        ChildJvm.path(Stream.concat(Stream.of(CORE, PROGRAMS), Stream.of(libraries))
                                .toList()));
            }
        },
        MODULE_PATH {
            @Override
            List<String> flags(Path... libraries) {
                return List.of(
                        "--module-path",
                        ChildJvm.path(Stream.concat(Stream.of(CORE), Stream.of(libraries))
                                .toList()),
                        "--add-modules",
                        libraries.length == 0 ? "io.clockhand" : "io.clockhand,org.jctools.core",
                        "-cp",
                        PROGRAMS.toString());
            }
        };

        abstract List<String> flags(Path... libraries);
    }

    private static String run(List<String> flags, String... tables) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(flags);
        arguments.add(TwoTables.class.getName());
        arguments.addAll(List.of(tables));
        return ChildJvm.run(arguments);
    }

    /** Nor does the JVM print a warning. */
    @ParameterizedTest
    @EnumSource
    void everythingElseWorksWithoutJcTools(Place place) throws Exception {
        assertThat(run(place.flags(), "CHAINED")).isEqualTo(CHAINED);
    }

    @ParameterizedTest
    @EnumSource
    void missingJcToolsIsNamedAndTheOtherTablesStillWork(Place place) throws Exception {
        String error = "the table non-blocking-hash-map needs JCTools: add the artifact org.jctools:jctools-core to the"
                + " class path, or to the module path with --add-modules org.jctools.core";

        assertThat(run(place.flags(), "NON_BLOCKING_HASH_MAP", "CHAINED"))
                .isEqualTo(String.format(
                        "NON_BLOCKING_HASH_MAP pages: %s%nNON_BLOCKING_HASH_MAP keys: %s%n%s", error, error, CHAINED));
    }

    @ParameterizedTest
    @EnumSource
    void withJcToolsItsTablesWork(Place place) throws Exception {
        assertThat(run(place.flags(JCTOOLS), "NON_BLOCKING_HASH_MAP"))
                .contains("NON_BLOCKING_HASH_MAP: 10 pages", "NON_BLOCKING_HASH_MAP: 10 keys");
    }

    @Test
    void noClassThatLinksToJcToolsIsLoadedUnlessItsTableIsSelected() throws Exception {
        List<String> flags = new ArrayList<>(List.of("-Xlog:class+load"));
        flags.addAll(Place.CLASS_PATH.flags(JCTOOLS));

        assertThat(run(flags, "CHAINED"))
                .contains("io.clockhand.internal.table.ChainedPageTable")
                .doesNotContain("jctools.NonBlocking", "org.jctools");
        assertThat(run(flags, "NON_BLOCKING_HASH_MAP"))
                .contains(
                        "io.clockhand.internal.jctools.NonBlockingPageTable",
                        "org.jctools.maps.NonBlockingHashMapLong");
    }
}
