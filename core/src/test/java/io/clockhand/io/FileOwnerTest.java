// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A file belongs to one store, and what is not a file of pages is refused by its name; nothing is left behind. */
class FileOwnerTest {
    private static final int PAGE_BYTES = 512;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("pages.db");
    }

    private FilePageStore open(FileOption... options) throws IOException {
        return FilePageStore.open(file(), PAGE_BYTES, options);
    }

    private static void write(FilePageStore store) throws IOException {
        store.write(0, ByteBuffer.allocate(PAGE_BYTES));
    }

    private void expectLocked() throws IOException {
        try (OwnerProcess other = OwnerProcess.start(1)) {
            assertThat(other.tell(0, "open other " + file()))
                    .contains("it is in use by another process, which holds a lock on it");
        }
    }

    // --- the lock ----------------------------------------------------------------------------------------------------

    @Test
    void openThatIsRefusedLeavesTheLock() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            for (FileOption option : new FileOption[] {FileOption.CREATE, FileOption.READ_ONLY, FileOption.NO_LOCK}) {
                assertThatThrownBy(() -> open(option).close(), "a second store, " + option)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("it is open already in this JVM, as " + file());
            }
            assertThatThrownBy(() -> open(FileOption.CREATE_NEW).close())
                    .isInstanceOf(FileAlreadyExistsException.class);
            expectLocked();
            write(store);
        }
    }

    @Test
    void interruptsLeaveTheLock() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            write(store);
            for (int i = 0; i < 3; i++) {
                store.closeChannelsForTest();
                Thread.currentThread().interrupt();
                store.extend(i + 2);
                assertThat(Thread.interrupted()).isTrue();
            }
            expectLocked();
        }
    }

    /** Its channel for direct I/O is opened by the extension. */
    @Test
    void extensionAndTruncationLeaveTheLock() throws IOException {
        try (FilePageStore store = FilePageStore.open(file(), 4096, FileOption.CREATE)) {
            store.extend(100);
            store.truncate(1);
            expectLocked();
        }
    }

    @Test
    void otherChannelsOfAThreadLeaveTheLock() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            write(store);
            for (int thread = 0; thread < 8; thread++) {
                workers.start(() -> store.pages()).result();
            }
            expectLocked();
        }
    }

    /** As after a test library has put the system properties back. */
    @Test
    void classLoaderWithoutTheSystemPropertiesOfTheOpenLeavesTheLock() throws Exception {
        OwnerProcess here = OwnerProcess.here(2);
        assertThat(here.tell(0, "open first " + file() + " CREATE")).isEqualTo("ok");
        Properties before = System.getProperties();
        Properties without = (Properties) before.clone();
        without.keySet().removeIf(key -> key.toString().startsWith("io.clockhand.open-file"));
        System.setProperties(without);
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(here.tell(1, "open second " + file())).contains("it is locked already in this JVM");
            }
        } finally {
            System.setProperties(before);
        }
        expectLocked();
        assertThat(here.tell(0, "close first")).isEqualTo("ok");
        assertThat(here.tell(1, "open second " + file())).isEqualTo("ok");
        expectLocked();
        assertThat(here.tell(1, "close second")).isEqualTo("ok");
    }

    @Test
    void storeThatWasForgottenGivesTheFileBack() throws IOException {
        open(FileOption.CREATE);
        while (!isFree()) {
            System.gc();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private boolean isFree() {
        try {
            open().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void storesWithoutLocksShareAFileAndExcludeOneWithALock() throws IOException {
        try (FilePageStore first = open(FileOption.CREATE, FileOption.NO_LOCK);
                FilePageStore second = open(FileOption.NO_LOCK)) {
            write(first);
            assertThat(second.pages()).isEqualTo(1);
            assertThatThrownBy(() -> open().close())
                    .hasMessageContaining("open already in this JVM without one (NO_LOCK)");
            try (OwnerProcess other = OwnerProcess.start(1)) {
                assertThat(other.tell(0, "open other " + file())).isEqualTo("ok");
            }
        }
        open().close();
    }

    // --- names -------------------------------------------------------------------------------------------------------

    @Test
    void linksAndOtherSpellingsAreTheSameFile() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            write(store);
            Path hard = Files.createLink(folder.resolve("hard"), file());
            Path soft = Files.createSymbolicLink(folder.resolve("soft"), file());
            Path dotted = folder.resolve("x").resolve("..").resolve("pages.db");
            Files.createDirectory(folder.resolve("x"));
            for (Path name : new Path[] {hard, soft, dotted}) {
                assertThatThrownBy(() -> FilePageStore.open(name, PAGE_BYTES).close(), "open of " + name)
                        .hasMessageContaining("it is open already in this JVM, as " + file());
            }
            expectLocked();
        }
    }

    @Test
    void foreignFilesStayAsTheyAre() throws IOException {
        Path neighbour = Files.write(folder.resolve("pages.db.lock"), new byte[] {1, 2, 3});
        FilePageStore store = open(FileOption.CREATE);
        write(store);
        store.delete();
        assertThat(neighbour).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(file()).doesNotExist();
    }

    @Test
    void readerCreatesNothingAndIsRefusedNothing() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            write(store);
        }
        try (FilePageStore reader = open(FileOption.READ_ONLY);
                Stream<Path> files = Files.list(folder)) {
            assertThat(reader.pages()).isEqualTo(1);
            assertThat(files).containsExactly(file());
            try (OwnerProcess other = OwnerProcess.start(1)) {
                assertThat(other.tell(0, "open writer " + file())).startsWith("refused: ");
                assertThat(other.tell(0, "open reader " + file() + " READ_ONLY"))
                        .isEqualTo("ok");
                assertThat(other.tell(0, "use reader")).isEqualTo("ok");
            }
        }
    }

    @Test
    void storeWorksOnWhenItsFolderIsRenamed() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Path name = old.resolve("pages.db");
        try (FilePageStore store = FilePageStore.open(name, PAGE_BYTES, FileOption.CREATE)) {
            write(store);
            Files.move(old, folder.resolve("new"));
            for (int i = 1; i < 4; i++) {
                store.closeChannelsForTest();
                store.write(i, ByteBuffer.allocate(PAGE_BYTES));
                int threads = i;
                workers.run(() -> store.read(threads, ByteBuffer.allocate(PAGE_BYTES)))
                        .result();
                store.force();
            }
        }
        assertThat(folder.resolve("new").resolve("pages.db")).hasSize(4 * PAGE_BYTES);
    }

    // --- files that go -----------------------------------------------------------------------------------------------

    @Test
    void fileThatIsDeletedOrReplacedWhileItIsOpenIsReported() throws IOException {
        for (boolean replaced : new boolean[] {false, true}) {
            FilePageStore store = open(FileOption.CREATE);
            write(store);
            Files.delete(file());
            if (replaced) {
                Files.write(file(), new byte[PAGE_BYTES]);
            }
            assertThatThrownBy(store::force)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot force " + file() + ": the file was deleted");
            assertThatThrownBy(store::close)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot close " + file() + ": the file was deleted");
            Files.deleteIfExists(file());
            open(FileOption.CREATE).close(); // it was closed nevertheless
            Files.delete(file());
        }
    }

    @Test
    void fileOfWhichAnotherLinkIsLeftWasNotLost() throws IOException {
        try (FilePageStore store = open(FileOption.CREATE)) {
            write(store);
            Files.createLink(folder.resolve("hard"), file());
            Files.delete(file());
            store.force();
        }
    }

    // --- what is no file of pages ------------------------------------------------------------------------------------

    @Test
    void foldersAndDevicesAreRefusedByName() throws IOException {
        for (Path name : new Path[] {folder, Path.of("/dev/null"), Path.of("/dev/zero")}) {
            assumeTrue(Files.exists(name));
            for (FileOption option : new FileOption[] {FileOption.CREATE, FileOption.READ_ONLY, FileOption.NO_LOCK}) {
                assertThatThrownBy(() -> FilePageStore.open(name, PAGE_BYTES, option))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("cannot open " + name + ": it is a ")
                        .hasMessageContaining("not a file of pages");
            }
        }
    }

    /** The open of a pipe would wait for a writer. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void pipeIsRefusedAtOnce() throws Exception {
        int code = new ProcessBuilder("mkfifo", file().toString()).start().waitFor();
        assumeTrue(code == 0, "mkfifo");
        assertThatThrownBy(() -> open(FileOption.READ_ONLY)).hasMessageContaining("it is a device, a pipe or a socket");
    }

    @Test
    void danglingLinkNamesItsTarget() throws IOException {
        Files.createSymbolicLink(file(), folder.resolve("missing"));
        for (FileOption option : new FileOption[] {FileOption.CREATE, FileOption.CREATE_NEW, FileOption.READ_ONLY}) {
            assertThatThrownBy(() -> open(option))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining(folder.resolve("missing").toString())
                    .hasMessageContaining("it is a link to a file that does not exist");
        }
    }

    @Test
    void longNamesWorkAndTooLongOnesLeaveNothing() throws IOException {
        Path longest = folder.resolve("n".repeat(255));
        FilePageStore.open(longest, PAGE_BYTES, FileOption.CREATE_NEW).close();
        Files.delete(longest);
        Path tooLong = folder.resolve("n".repeat(256));
        assertThatThrownBy(() -> FilePageStore.open(tooLong, PAGE_BYTES, FileOption.CREATE_NEW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(tooLong.toString());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void fileThatCannotBeLockedStays() throws IOException {
        try (OwnerProcess other = OwnerProcess.start(1)) {
            assertThat(other.tell(0, "open other " + file() + " CREATE")).isEqualTo("ok");
            assertThatThrownBy(() -> open(FileOption.CREATE)).hasMessageContaining("in use by another process");
            assertThat(file()).exists();
        }
    }

    // --- cost --------------------------------------------------------------------------------------------------------

    @Test
    @EnabledOnOs(OS.LINUX)
    void fileNeedsOneDescriptorForEachChannel() throws IOException {
        for (FileOption option : new FileOption[] {FileOption.CREATE, FileOption.READ_ONLY, FileOption.NO_LOCK}) {
            try (FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, 3, option)) {
                assertThat(descriptors()).as("after the open, %s", option).isEqualTo(1);
                for (int thread = 0; thread < 6; thread++) {
                    workers.start(store::pages).result();
                }
                assertThat(descriptors()).as("of three channels, %s", option).isBetween(2L, 3L);
                for (int i = 0; i < 5; i++) {
                    store.closeChannelsForTest();
                    for (int thread = 0; thread < 6; thread++) {
                        workers.start(store::pages).result();
                    }
                }
                assertThat(descriptors()).as("after interrupts, %s", option).isLessThanOrEqualTo(6);
            }
            assertThat(descriptors()).as("after the close, %s", option).isZero();
        }
    }

    private long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            return all.filter(descriptor -> {
                        try {
                            return Files.readSymbolicLink(descriptor).equals(file());
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        }
    }
}
