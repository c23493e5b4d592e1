// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.NativeAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory of a pool: native only if the application has enabled native access, and never with a warning. */
class HugePagesTest {
    private static final int POOL_BYTES = 8 << 20;
    private static final int PAGES = POOL_BYTES / 4096 * 3 / 2;

    private static final Path CORE = ChildJvm.locationOf(BufferPool.class);
    private static final Path PROGRAMS = ChildJvm.locationOf(FilledPool.class);

    /** Where the JVM finds the library, and its classes for Java 22. */
    enum Place {
        CLASS_PATH("ALL-UNNAMED") {
            @Override
            List<String> flags() {
                return List.of("-cp", ChildJvm.path(List.of(NativeAccess.classes(), CORE, PROGRAMS)));
            }
        },
        MODULE_PATH("io.clockhand") {
            @Override
            List<String> flags() {
                return List.of(
                        "--module-path",
                        CORE.toString(),
                        "--add-modules",
                        module,
                        "--patch-module",
                        module + "=" + NativeAccess.classes(),
                        "-cp",
                        PROGRAMS.toString());
            }
        };

        final String module;

        Place(String module) {
            this.module = module;
        }

        abstract List<String> flags();

        String enabling() {
            return "--enable-native-access=" + module;
        }
    }

    private static String run(List<String> flags, String... more) throws Exception {
        return run(flags, POOL_BYTES, true, more);
    }

    private static String run(List<String> flags, int bytes, boolean hugePages, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(flags);
        arguments.addAll(List.of(FilledPool.class.getName(), String.valueOf(bytes), String.valueOf(hugePages)));
        return ChildJvm.run(arguments);
    }

    private static String rightPagesIn(String memory) {
        return String.format("%d of %d pages are right%n%s, for all pages: true%n", PAGES, PAGES, memory);
    }

    @ParameterizedTest
    @EnumSource
    void applicationThatEnablesNativeAccessHasHugePages(Place place) throws Exception {
        assertThat(run(place.flags(), place.enabling()))
                .isEqualTo(rightPagesIn("native memory with huge pages advised"));
    }

    /** Nor does the JVM print a warning. */
    @ParameterizedTest
    @EnumSource
    void otherApplicationHasDirectBuffersAndTheStatisticsNameTheOption(Place place) throws Exception {
        assertThat(run(place.flags()))
                .isEqualTo(rightPagesIn("direct buffers: native access is not enabled (" + place.enabling() + ")"));
    }

    @Test
    void applicationThatForbidsNativeAccessRunsOn() throws Exception {
        List<String> flags = Place.CLASS_PATH.flags();
        if (Runtime.version().feature() >= 24) { // where the option was added
            assertThat(run(flags, "--illegal-native-access=deny")).startsWith(PAGES + " of ");
        }
        assertThat(run(flags, "--enable-native-access=java.base")).contains("native access is not enabled");
    }

    @Test
    void hugePagesCanBeSwitchedOff() throws Exception {
        Place place = Place.CLASS_PATH;

        assertThat(run(place.flags(), POOL_BYTES, false, place.enabling()))
                .isEqualTo(rightPagesIn("direct buffers: huge pages are switched off"));
    }

    @Test
    void poolThatIsSmallerThanAHugePageHasDirectBuffers() throws Exception {
        Place place = Place.CLASS_PATH;

        assertThat(run(place.flags(), 1 << 20, true, place.enabling()))
                .contains("direct buffers: the pool is smaller than a huge page");
    }

    @Test
    void javaWithoutThePartForItHasDirectBuffers() throws Exception {
        List<String> flags = List.of("-cp", ChildJvm.path(List.of(CORE, PROGRAMS)));
        String reason = Runtime.version().feature() < 22
                ? "huge pages need Java 22 or later"
                : "this jar has no part for Java 22 and later";

        assertThat(run(flags)).isEqualTo(rightPagesIn("direct buffers: " + reason));
    }
}
