// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The arrows between the rooms of the library. A room is a package; it may know itself, the JDK, the libraries, and the
 * rooms of {@link #MAY_KNOW}. A new room needs a row there.
 */
class ArchitectureTest {
    private static final String ROOT = "io.clockhand";

    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            // Leaves: ints, longs and bytes only, so that each can be tested, and a policy simulated, alone.
            room("policy"),
            room("internal.table"),
            room("internal.jctools", "internal.table"),
            room("internal.frame"),
            room("io"),
            room("wal"),
            room("internal.metrics"),
            // What everybody may use.
            room(""),
            // The engine: frame numbers only, then pages and their files.
            room("internal.pool", "policy", "internal.frame", "internal.metrics"),
            room(
                    "internal.page",
                    "",
                    "internal.pool",
                    "internal.frame",
                    "internal.table",
                    "internal.metrics",
                    "policy"),
            room("internal.file", "", "internal.page", "internal.frame", "internal.metrics", "io"),
            // The doors: no room behind them knows them.
            room(
                    "page",
                    "",
                    "internal.file",
                    "internal.page",
                    "internal.pool",
                    "internal.frame",
                    "internal.table",
                    "internal.metrics",
                    "policy",
                    "io",
                    "wal"),
            room("cache", "", "internal.pool", "internal.frame", "internal.table", "policy"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @ParameterizedTest
    @MethodSource("rooms")
    void roomKnowsOnlyTheRoomsItMay(String room) {
        noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(areForbiddenTo(room))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void everyRoomHasItsRow() {
        Set<String> rooms = CLASSES.stream().map(JavaClass::getPackageName).collect(toSet());

        assertThat(rooms).contains(ROOT).isSubsetOf(MAY_KNOW.keySet());
    }

    @Test
    void roomsFormNoCycle() {
        slices().assignedFrom(packages()).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyTheTablesLoadedByNameLinkToTheMapsOfJcTools() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packageOf("internal.jctools"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jctools.maps", packageOf("internal.jctools"))
                .check(CLASSES);
    }

    static Set<String> rooms() {
        return MAY_KNOW.keySet();
    }

    private static DescribedPredicate<JavaClass> areForbiddenTo(String room) {
        Set<String> allowed = MAY_KNOW.get(room);
        return describe("are neither in its own room nor in " + allowed, type -> {
            String other = type.getPackageName();
            boolean ours = other.equals(ROOT) || other.startsWith(ROOT + ".");
            return ours && !other.equals(room) && !allowed.contains(other);
        });
    }

    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "the rooms";
            }
        };
    }

    private static Map.Entry<String, Set<String>> room(String name, String... mayKnow) {
        return Map.entry(
                packageOf(name),
                Stream.of(mayKnow).map(ArchitectureTest::packageOf).collect(toSet()));
    }

    private static String packageOf(String room) {
        return room.isEmpty() ? ROOT : ROOT + "." + room;
    }
}
