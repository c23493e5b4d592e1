// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.application.ProbeJvm.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Derby and Clockhand as modules: the flags that the documentation names are enough, and none is too many. */
class ModulePathIT {
    private static final String STANDALONE = "--add-modules=io.clockhand.derby";

    static List<String> derbys() {
        return ProbeJvm.derbyVersions();
    }

    @Test
    void withTheDocumentedFlagsClockhandIsInForce() throws Exception {
        isInForceWithTheDocumentedFlags(ProbeJvm.mainDerby());
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("derbys")
    void withTheDocumentedFlagsClockhandIsInForceInEachVersion(String derby) throws Exception {
        isInForceWithTheDocumentedFlags(derby);
    }

    private static void isInForceWithTheDocumentedFlags(String derby) throws Exception {
        Answer answer = ProbeJvm.onModulePath(plain(derby), documentedFlags())
                .activatedByProperty()
                .ask();
        isInForce(answer, derby);
    }

    @Tag("ci")
    @Test
    void theStandaloneJarNeedsNoModuleForTheCore() throws Exception {
        String derby = newest();
        List<Path> path = new ArrayList<>(ProbeJvm.derbyJars(derby));
        path.add(ProbeJvm.jar("-standalone"));
        List<String> flags = documentedFlags();
        flags.removeIf(flag -> flag.startsWith("--add-modules"));
        flags.add(STANDALONE);
        isInForce(ProbeJvm.onModulePath(path, flags).activatedByProperty().ask(), derby);
    }

    /** Nothing fails, which is why the question must be asked. */
    @Tag("ci")
    @ParameterizedTest
    @MethodSource("derbys")
    void withoutTheExportsDerbysOwnCacheIsInForceAndClockhandSaysSo(String derby) throws Exception {
        List<String> flags = documentedFlags();
        flags.removeIf(flag -> flag.startsWith("--add-exports"));
        Answer answer =
                ProbeJvm.onModulePath(plain(derby), flags).activatedByProperty().ask();
        assertThat(answer.output()).contains("derby " + derby, "in force false", "caches none", "beans 0");
        assertThat(answer.output())
                .contains("derby's module org.apache.derby", "clockhand's module io.clockhand.derby");
        assertThat(answer.log())
                .contains("Class io.clockhand.derby.ClockhandCacheFactory java.lang.IllegalAccessError")
                .doesNotContain("is in force");
    }

    /** Once the factory is loaded Derby cannot go on without it, so these are not silent. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"services.daemon", "services.jmx", "services.monitor", "services.property", "store.raw"})
    void withoutAnyOtherExportTheDatabaseDoesNotBoot(String exported) throws Exception {
        List<String> flags = documentedFlags();
        assertThat(flags.removeIf(flag -> flag.contains("iapi." + exported + "=")))
                .isTrue();
        Answer answer = ProbeJvm.onModulePath(plain(newest()), flags)
                .activatedByProperty()
                .ask();
        assertThat(answer.output())
                .contains("java.lang.IllegalAccessError", "does not export org.apache.derby.iapi." + exported)
                .doesNotContain("in force");
    }

    /** A resource in a package of Derby's module is looked for in that module and on the class path only. */
    @Tag("ci")
    @Test
    void theAutoJarWorksFromTheClassPathBesideTheModulesAndNotAsAModule() throws Exception {
        String derby = newest();
        Path auto = ProbeJvm.jar("-auto");
        isInForce(ProbeJvm.onModulePath(plain(derby), documentedFlags(), auto).ask(), derby);

        List<Path> path = new ArrayList<>(plain(derby));
        path.add(auto);
        List<String> flags = documentedFlags();
        flags.add("--add-modules=io.clockhand.derby.auto");
        Answer answer = ProbeJvm.onModulePath(path, flags).ask();
        assertThat(answer.output()).contains("derby " + derby, "in force false");
    }

    private static String newest() {
        return derbys().get(derbys().size() - 1);
    }

    private static List<Path> plain(String derby) {
        List<Path> path = new ArrayList<>(ProbeJvm.derbyJars(derby));
        path.addAll(ProbeJvm.plainJars());
        return path;
    }

    private static List<String> documentedFlags() throws IOException {
        String page = Files.readString(Path.of("..", "src", "docs", "derby.md"));
        List<String> flags = new ArrayList<>(Pattern.compile("^--add-\\w+=\\S+$", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .toList());
        assertThat(flags).hasSize(7);
        return flags;
    }

    private static void isInForce(Answer answer, String derby) {
        assertThat(answer.output()).contains("derby " + derby, "in force true", "caches some", "beans 3", "XJ015");
        assertThat(answer.output())
                .contains("derby's module org.apache.derby", "clockhand's module io.clockhand.derby");
        assertThat(answer.log()).contains("is in force as Derby's cache");
    }
}
