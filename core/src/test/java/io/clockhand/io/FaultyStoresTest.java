// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.clockhand.testkit.PageStoreContract;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract of a page store finds each of these faults. */
class FaultyStoresTest {
    /** Broken promises of {@link FaultyStore}. */
    enum Fault {
        NONE,
        SHORT_READ,
        SHORT_WRITE,
        READS_BEHIND_THE_LIMIT,
        NO_END,
        END_WITHOUT_A_NAME,
        NEGATIVE_PAGES,
        GROWS_TO_OLD_BYTES,
        TRUNCATION_LEAVES_THE_LENGTH,
        READ_AFTER_CLOSE,
        DELETE_LEAVES_THE_STORE_OPEN,
        OWNED_TWICE,
        CLEARS_INTERRUPTS,
        FAILS_WHEN_INTERRUPTED,
        LENGTH_AS_INT,
        READ_RUN_REPEATS_ITS_FIRST_PAGE,
        READ_RUN_ENDS_WITH_THE_STORE,
        RUN_LOSES_ITS_LAST_PAGE,
        RUN_LEAVES_THE_LIMIT,
        RUN_OF_HALF_A_PAGE,
        EXTENSION_CLEARS_THE_LAST_PAGE,
        EXTENSION_OF_ONE_PAGE,
        EXTENSION_TRUNCATES
    }

    private static Fault fault;

    /** The contract, run by {@link #failuresWith}. */
    static class FaultyStoreTests extends PageStoreContract {
        @Override
        protected PageStore open() {
            return new FaultyStore(pageBytes());
        }

        @Override
        protected boolean isPersistent() {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SHORT_READ, readReturnsTheBytesOfTheLatestWrite",
        "SHORT_WRITE, readReturnsTheBytesOfTheLatestWrite",
        "READS_BEHIND_THE_LIMIT, buffersOfEveryKindAreTransferredFromPositionToLimitOnly",
        "NO_END, readBehindTheEndNamesStoreAndPage",
        "END_WITHOUT_A_NAME, readBehindTheEndNamesStoreAndPage",
        "NEGATIVE_PAGES, negativePageIsRefused",
        "GROWS_TO_OLD_BYTES, truncatedStoreGrowsAgainWithZeros",
        "TRUNCATION_LEAVES_THE_LENGTH, truncationToTheSameLengthChangesNothingAndToZeroRemovesEveryPage",
        "READ_AFTER_CLOSE, closedStoreFailsEveryTransferByName",
        "DELETE_LEAVES_THE_STORE_OPEN, deletedStoreIsClosedAndEmptyWhenItIsOpenedAgain",
        "OWNED_TWICE, oneOwnerTakesTheStore",
        "CLEARS_INTERRUPTS, interruptedThreadFinishesItsCallAndStaysInterrupted",
        "FAILS_WHEN_INTERRUPTED, interruptsOfSomeThreadsDisturbNeitherThemNorOthers",
        "LENGTH_AS_INT, farPageIsWrittenAndRead",
        "READ_RUN_REPEATS_ITS_FIRST_PAGE, runThatIsReadEqualsSingleReads",
        "READ_RUN_ENDS_WITH_THE_STORE, runThatEndsBehindTheStoreFailsAndLeavesThePagesReadable",
        "RUN_LOSES_ITS_LAST_PAGE, runOfPagesEqualsSingleWrites",
        "RUN_LEAVES_THE_LIMIT, runOfPagesEqualsSingleWrites",
        "RUN_OF_HALF_A_PAGE, bufferOfAnotherSizeIsRefused",
        "EXTENSION_CLEARS_THE_LAST_PAGE, extensionAddsZerosAndLeavesThePagesBefore",
        "EXTENSION_OF_ONE_PAGE, extensionAddsZerosAndLeavesThePagesBefore",
        "EXTENSION_TRUNCATES, extensionOfAStoreThatHasEnoughPagesChangesNothing"
    })
    void contractFindsTheFault(Fault broken, String test) {
        assertThat(failuresWith(broken, selectMethod(FaultyStoreTests.class, test)))
                .contains(test);
    }

    @ParameterizedTest
    @CsvSource("NONE")
    void contractFindsNoFaultWhereThereIsNone(Fault none) {
        assertThat(failuresWith(none, selectClass(FaultyStoreTests.class))).isEmpty();
    }

    private static Set<String> failuresWith(Fault broken, DiscoverySelector tests) {
        fault = broken;
        Set<String> failed = new HashSet<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(tests)
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                                    failed.add(test.getDisplayName().replace("()", ""));
                                }
                            }
                        });
        return failed;
    }

    /** A store in memory that breaks one promise. */
    private static final class FaultyStore implements PageStore {
        private final MemoryPageStore store;
        private final Map<Long, byte[]> written = new HashMap<>();
        private volatile boolean closed;

        FaultyStore(int pageBytes) {
            store = new MemoryPageStore("faulty", pageBytes);
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public int pageBytes() {
            return store.pageBytes();
        }

        @Override
        public long pages() {
            return fault == Fault.LENGTH_AS_INT ? (int) store.pages() : store.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            if (fault == Fault.CLEARS_INTERRUPTS) {
                Thread.interrupted();
            }
            if (fault == Fault.FAILS_WHEN_INTERRUPTED && Thread.currentThread().isInterrupted()) {
                throw new IOException("cannot read page " + page + " of " + name() + ": interrupted");
            }
            boolean skipped = switch (fault) {
                case READ_AFTER_CLOSE -> closed;
                case NO_END -> page >= pages();
                default -> false;
            };
            if (skipped) {
                target.position(target.limit());
                return;
            }
            if (fault == Fault.END_WITHOUT_A_NAME && page >= pages()) {
                throw new EOFException("end of file");
            }
            int begin = target.position();
            store.read(fault == Fault.NEGATIVE_PAGES ? Math.max(0, page) : page, target);
            if (fault == Fault.SHORT_READ) {
                target.position(begin + pageBytes() / 2);
            }
            if (fault == Fault.READS_BEHIND_THE_LIMIT && target.limit() < target.capacity()) {
                target.duplicate().limit(target.capacity()).put((byte) 1);
            }
            byte[] old = written.get(page);
            if (fault == Fault.GROWS_TO_OLD_BYTES && old != null) {
                target.duplicate().position(begin).put(old);
            }
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            if (fault == Fault.GROWS_TO_OLD_BYTES) {
                byte[] copy = new byte[source.remaining()];
                source.duplicate().get(copy);
                synchronized (written) {
                    written.put(page, copy);
                }
            }
            if (fault == Fault.SHORT_WRITE) {
                ByteBuffer half = ByteBuffer.allocate(pageBytes());
                half.put(source.slice(source.position(), pageBytes() / 2)).clear();
                source.position(source.limit());
                store.write(page, half);
                return;
            }
            store.write(page, source);
        }

        @Override
        public void readRun(long first, ByteBuffer[] targets, int pages) throws IOException {
            boolean shortened = fault == Fault.READ_RUN_ENDS_WITH_THE_STORE;
            int read = shortened ? (int) Math.max(1, Math.min(pages, pages() - first)) : pages;
            PageStore.super.readRun(first, targets, read);
            for (int i = 1; i < pages && fault == Fault.READ_RUN_REPEATS_ITS_FIRST_PAGE; i++) {
                int end = targets[i].limit();
                targets[i].put(end - pageBytes(), targets[0], targets[0].limit() - pageBytes(), pageBytes());
            }
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            int last = source.limit() - pageBytes();
            if (fault == Fault.RUN_LOSES_ITS_LAST_PAGE && last > source.position()) {
                PageStore.super.writeRun(first, source.limit(last));
                source.limit(last + pageBytes()).position(last + pageBytes());
            } else if (fault == Fault.RUN_OF_HALF_A_PAGE && source.remaining() < pageBytes()) {
                source.position(source.limit());
            } else {
                PageStore.super.writeRun(first, source);
            }
            if (fault == Fault.RUN_LEAVES_THE_LIMIT) {
                source.limit(source.capacity());
            }
        }

        @Override
        public void extend(long pages) throws IOException {
            long before = pages();
            if (fault == Fault.EXTENSION_CLEARS_THE_LAST_PAGE && before > 0 && pages > before) {
                write(before - 1, ByteBuffer.allocate(pageBytes()));
            }
            if (fault == Fault.EXTENSION_TRUNCATES && pages >= 0 && pages < before) {
                truncate(pages);
            }
            PageStore.super.extend(fault == Fault.EXTENSION_OF_ONE_PAGE ? Math.min(pages, before + 1) : pages);
        }

        @Override
        public void truncate(long pages) throws IOException {
            if (fault != Fault.TRUNCATION_LEAVES_THE_LENGTH) {
                store.truncate(pages);
            }
        }

        @Override
        public void delete() throws IOException {
            if (fault != Fault.DELETE_LEAVES_THE_STORE_OPEN) {
                close();
            }
        }

        @Override
        public boolean tryOwn() {
            return store.tryOwn() || fault == Fault.OWNED_TWICE;
        }

        @Override
        public void force() throws IOException {
            store.force();
        }

        @Override
        public void close() {
            closed = true;
            store.close();
        }
    }
}
