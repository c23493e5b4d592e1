// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.application.ProbeJvm.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The jar {@code auto} puts Clockhand into force by lying on the class path, in any order; nothing else does. */
class AutoJarIT {
    static List<String> derbys() {
        return ProbeJvm.derbyVersions();
    }

    @Test
    void theAutoJarPutsClockhandIntoForce() throws Exception {
        String derby = ProbeJvm.mainDerby();
        isInForce(ProbeJvm.onClassPath(withTheAutoJarFirst(derby)).ask(), derby);
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("derbys")
    void theAutoJarPutsClockhandIntoForceWhereverItStands(String derby) throws Exception {
        List<Path> path = withTheAutoJarFirst(derby);
        isInForce(ProbeJvm.onClassPath(path).ask(), derby);
        Collections.reverse(path);
        isInForce(ProbeJvm.onClassPath(path).ask(), derby);
    }

    private static List<Path> withTheAutoJarFirst(String derby) {
        List<Path> path = new ArrayList<>(List.of(ProbeJvm.jar("-auto")));
        path.addAll(ProbeJvm.plainJars());
        path.addAll(ProbeJvm.derbyJars(derby));
        return path;
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("derbys")
    void withoutItDerbysOwnCacheIsInForce(String derby) throws Exception {
        List<Path> path = new ArrayList<>(ProbeJvm.plainJars());
        path.addAll(ProbeJvm.derbyJars(derby));
        Answer answer = ProbeJvm.onClassPath(path).ask();
        assertThat(answer.output()).contains("derby " + derby, "in force false", "caches none", "beans 0");
        assertThat(answer.log()).doesNotContain("is in force", "module ignored");
    }

    @Tag("ci")
    @Test
    void itStandsBesideTheStandaloneJarAndTheLineInThePropertiesToo() throws Exception {
        String derby = derbys().get(derbys().size() - 1);
        List<Path> path = new ArrayList<>(ProbeJvm.derbyJars(derby));
        path.add(ProbeJvm.jar("-standalone"));
        path.add(ProbeJvm.jar("-auto"));
        isInForce(ProbeJvm.onClassPath(path).activatedByProperty().ask(), derby);
    }

    /** Derby goes on with its own cache, so the application runs; its log tells. */
    @Tag("ci")
    @Test
    void withoutClockhandItDoesNothing() throws Exception {
        String derby = derbys().get(0);
        List<Path> path = new ArrayList<>(ProbeJvm.derbyJars(derby));
        path.add(ProbeJvm.jar("-auto"));
        Answer answer = ProbeJvm.onClassPath(path).ask();
        assertThat(answer.output()).contains("derby " + derby, "not there io/clockhand/derby/ClockhandDerby");
        assertThat(answer.log()).contains("ClassNotFoundException: io.clockhand.derby.ClockhandCacheFactory");
    }

    @Test
    void itHoldsOneResourceAndNoClass() throws Exception {
        try (JarFile jar = new JarFile(ProbeJvm.jar("-auto").toFile())) {
            assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(Object::toString))
                    .containsExactlyInAnyOrder("META-INF/MANIFEST.MF", "org/apache/derby/modules.properties");
        }
    }

    private static void isInForce(Answer answer, String derby) {
        assertThat(answer.output())
                .contains("derby " + derby, "in force true", "caches some", "beans 3", "shutdown XJ015");
        assertThat(answer.log()).contains("is in force as Derby's cache");
    }
}
