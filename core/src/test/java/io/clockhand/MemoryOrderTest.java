// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.clockhand.internal.frame.FrameStates;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fences and ordered stores that no run on a processor with strong memory order can miss. So they are kept by rule:
 * each method of this list has the access that its class comment states. A method that gets a stronger one changes its
 * row; a method that needs none any more loses it, after a proof.
 */
class MemoryOrderTest {
    private static final String ROOT = "io.clockhand";
    private static final JavaClasses CLASSES = new ClassFileImporter().importUrls(urls());

    /** {@return those of the classes that run, also if the class path has others of the same name} */
    private static List<URL> urls() {
        Path folder = Path.of("target", "classes");
        try (Stream<Path> files = Files.walk(folder.resolve(ROOT.replace('.', '/')))) {
            return files.map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .map(name -> MemoryOrderTest.class.getResource("/" + name))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "{0}.{1}: {2}")
    @CsvSource({
        // ends of an ownership: what the owner did is seen by the next one
        "policy.HitQueues, disown, setRelease",
        "internal.advice.SampleQueues, disown, setRelease",
        "internal.frame.FrameStates, openLatch, setRelease",
        "internal.frame.FrameStates, setBuffer, setRelease",
        "internal.frame.FrameStates, setIdentity, setRelease",
        "cache.Entry, retire, setRelease",
        "policy.ListedFrames, list, setRelease",
        "policy.ListedFrames, keep, setRelease",
        "policy.FrameCells, setValue, setRelease",
        // what is published is complete
        "internal.frame.FrameRing, add, setRelease",
        "internal.frame.FrameMemory, releaseByte, releaseFence",
        "cache.FrameArray, set, releaseFence",
        "cache.FrameArray, get, acquireFence",
        "cache.FrameArray, hinted, acquireFence",
        "internal.table.ChainedTable, first, acquireFence",
        "internal.table.Directory, child, acquireFence",
        "internal.table.ChainedTable$Node, next, setRelease",
        "internal.table.ChainedTable$Node, next, getAcquire",
        // what is withdrawn is not seen behind the word that says so
        "internal.table.RangeTree, sweep, releaseFence",
        "internal.table.ChainedPageTable, tryUnlink, setRelease",
        "internal.frame.FrameStates, tryCloseLatch, storeStoreFence",
        "internal.frame.Latches, tryToWrite, storeStoreFence",
        // reads that are validated come before the load that validates them
        "internal.table.ChainedPageTable, walk, acquireFence",
        "internal.table.ChainedPageTable, before, acquireFence",
        "internal.frame.FrameRef, isUnchanged, acquireFence",
        // a store before a load: of two threads, one sees the other
        "policy.TwoRingGclock, onClean, fullFence",
        "policy.TwoRingGclock, tryClaim, fullFence",
        "policy.TwoRingGclock, tryListCold, fullFence",
        "policy.TwoRingGclock, listStrays, fullFence",
        "internal.frame.FrameStates, mayBeHad, fullFence",
        "internal.frame.FrameLine, enter, fullFence",
        "internal.frame.FrameRing, poll, fullFence",
    })
    void methodHasItsOrderedAccess(String type, String method, String access) {
        JavaClass owner = CLASSES.get(ROOT + "." + type);
        List<JavaMethod> methods = owner.getMethods().stream()
                .filter(each -> each.getName().equals(method))
                .toList();

        assertThat(methods).as("methods %s of %s", method, type).isNotEmpty();
        assertThat(methods.stream().flatMap(MemoryOrderTest::accesses))
                .as("ordered accesses in %s.%s", type, method)
                .contains(access);
    }

    private static Stream<String> accesses(JavaMethod method) {
        return method.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(VarHandle.class))
                .map(JavaMethodCall::getName);
    }

    /** After 65,536 bindings a frame may have its state again and hold another content. */
    @Test
    void threadThatPinsByIdentityReadsTheIdentityAgain() {
        List<JavaMethod> pinning = CLASSES.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> calls(method, "tryPinReady"))
                .toList();

        assertThat(pinning).as("methods that call tryPinReady").isNotEmpty();
        assertThat(pinning)
                .as("methods that call tryPinReady, and identity afterwards")
                .allMatch(method -> lineOf(method, "identity") > lineOf(method, "tryPinReady"));
    }

    private static boolean calls(JavaMethod method, String name) {
        return lineOf(method, name) > 0;
    }

    /** {@return the line of the last call of a method of the frames' words, or 0} */
    private static int lineOf(JavaMethod method, String name) {
        return method.getMethodCallsFromSelf().stream()
                .filter(call -> call.getName().equals(name))
                .filter(call -> call.getTargetOwner().isEquivalentTo(FrameStates.class))
                .mapToInt(JavaMethodCall::getLineNumber)
                .max()
                .orElse(0);
    }
}
