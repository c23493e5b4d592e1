// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.page.BufferPool;
import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.Pools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dependencies between the packages of the library. A package may know itself, the JDK, the libraries, and the
 * packages of {@link #MAY_KNOW}. A new package needs a row there.
 */
class ArchitectureTest {
    private static final String ROOT = "io.clockhand";

    static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            // Leaves: ints, longs and bytes only, so that each can be tested, and a policy simulated, alone.
            row("policy"),
            row("internal.table"),
            row("internal.jctools", "internal.table"),
            row("internal.frame", ""),
            row("io"),
            row("internal.metrics"),
            // The root: all packages may use it.
            row(""),
            row("internal.advice", "", "policy"),
            row("wal", "", "internal.frame", "io"),
            // The engine: frame numbers only, then pages and their files.
            row("internal.pool", "", "policy", "internal.frame", "internal.metrics"),
            row("internal.flush", "", "internal.pool", "internal.frame", "internal.table", "internal.metrics", "wal"),
            row(
                    "internal.page",
                    "",
                    "internal.advice",
                    "internal.flush",
                    "internal.pool",
                    "internal.frame",
                    "internal.table",
                    "internal.metrics",
                    "policy",
                    "io",
                    "wal"),
            row("internal.file", "", "internal.page", "internal.flush", "internal.pool", "internal.frame", "io"),
            // The two APIs: no package behind them knows them, and neither knows the other.
            row(
                    "page",
                    "",
                    "internal.file",
                    "internal.page",
                    "internal.advice",
                    "internal.flush",
                    "internal.pool",
                    "internal.frame",
                    "internal.table",
                    "internal.metrics",
                    "policy",
                    "io",
                    "wal"),
            // On the API for pages.
            row("space", "", "page", "io"),
            row("cache", "", "internal.advice", "internal.pool", "internal.frame", "internal.table", "policy"));

    private static final JavaClasses CLASSES = importFrom(ChildJvm.locationOf(BufferPool.class));

    private static final JavaClasses TESTS = importFrom(ChildJvm.locationOf(ArchitectureTest.class));

    /** Without the classes of others on which they depend: only their names matter, and they are many. */
    private static JavaClasses importFrom(Path folder) {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        try {
            return new ClassFileImporter()
                    .withImportOption(location -> !location.contains("/META-INF/") && !location.contains("module-info"))
                    .importPath(folder);
        } finally {
            ArchConfiguration.get().reset();
        }
    }

    /**
     * {@return the calls of methods of other classes by a method, and by those of its own class that it calls, in the
     * order of their lines; each as a simple name of a class, a dot, and the name of the method}
     *
     * @param method one that is not private, in this form
     */
    static List<String> callsOf(String method) {
        String type = method.substring(0, method.indexOf('.'));
        List<String> calls = new ArrayList<>();
        CLASSES.stream()
                .filter(owner -> owner.getSimpleName().equals(type))
                .flatMap(owner -> owner.getMethods().stream())
                .filter(start -> start.getName().equals(method.substring(type.length() + 1)))
                .filter(start -> !start.getModifiers().contains(JavaModifier.PRIVATE))
                .forEach(start -> addCalls(start, calls));
        return calls;
    }

    private static void addCalls(JavaMethod from, List<String> calls) {
        from.getMethodCallsFromSelf().stream()
                .sorted(comparingInt(JavaMethodCall::getLineNumber))
                .forEach(call -> {
                    if (call.getTargetOwner().equals(from.getOwner())) {
                        call.getTarget().resolveMember().ifPresent(own -> addCalls(own, calls));
                    } else {
                        calls.add(call.getTargetOwner().getSimpleName() + "." + call.getName());
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("packageNames")
    void packageKnowsOnlyThePackagesItMay(String name) {
        noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat(areForbiddenTo(name))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void everyPackageHasItsRow() {
        Set<String> packages = CLASSES.stream().map(JavaClass::getPackageName).collect(toSet());

        assertThat(packages).contains(ROOT).isSubsetOf(MAY_KNOW.keySet());
    }

    @Test
    void packagesFormNoCycle() {
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

    /** They replace classes of that package, in which all off-heap access lies; see {@code src/main/java22}. */
    @Test
    void classesForJava22KnowNoOtherPackage() {
        Path folder = Path.of("target", "classes", "META-INF", "versions", "22");
        assumeTrue(Files.isDirectory(folder), "the library was compiled on a JDK before 22");
        JavaClasses classes = new ClassFileImporter().importPath(folder);

        assertThat(classes).isNotEmpty().allMatch(type -> type.getPackageName().equals(packageOf("internal.frame")));
        noClasses()
                .should()
                .dependOnClassesThat(areForbiddenTo(packageOf("internal.frame")))
                .check(classes);
    }

    /** Or the run of the tests with another table would leave the table of the pool as it is. */
    @Test
    void poolsOfTestsHaveTheTableOfTheRun() {
        noClasses()
                .that()
                .resideOutsideOfPackages(packagesOf("testing", "guide", "forked", "policy", "cache"))
                .should()
                .callMethod(BufferPool.class, "builder")
                .check(TESTS);
        noClasses()
                .that()
                .resideInAPackage(packageOf("internal.page"))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ChainedPageTable.class)
                .check(TESTS);
    }

    /** The run of the tests with another table is that of these packages; see {@code core/pom.xml}. */
    @Test
    void onlyPackagesWhoseTestsRunForEachTableUsePoolsWithTheTableOfTheRun() {
        noClasses()
                .that()
                .resideOutsideOfPackages(packagesOf("", "testing", "page", "internal.page", "space"))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Pools.class)
                .check(TESTS);
    }

    static Set<String> packageNames() {
        return MAY_KNOW.keySet();
    }

    static boolean hasClasses(String name) {
        return CLASSES.stream().anyMatch(type -> type.getPackageName().equals(name));
    }

    private static DescribedPredicate<JavaClass> areForbiddenTo(String name) {
        Set<String> allowed = MAY_KNOW.get(name);
        return describe("are neither in its own package nor in " + allowed, type -> {
            String other = type.getPackageName();
            boolean ours = other.equals(ROOT) || other.startsWith(ROOT + ".");
            return ours && !other.equals(name) && !allowed.contains(other);
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
                return "the packages";
            }
        };
    }

    private static Map.Entry<String, Set<String>> row(String name, String... mayKnow) {
        return Map.entry(
                packageOf(name),
                Stream.of(mayKnow).map(ArchitectureTest::packageOf).collect(toSet()));
    }

    private static String[] packagesOf(String... names) {
        return Stream.of(names).map(ArchitectureTest::packageOf).toArray(String[]::new);
    }

    private static String packageOf(String name) {
        return name.isEmpty() ? ROOT : ROOT + "." + name;
    }
}
