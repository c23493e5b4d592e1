// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators see figures of each directory and kind of file, by a management bean and by events. */
class MonitoringTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
    private static final String NAME = "search";
    private static final long BYTES = TestDirectories.PAGE_BYTES;

    @TempDir
    private Path folder;

    private DirectoryPool pool;
    private Directory orders;
    private Directory customers;

    @BeforeEach
    void open() throws IOException {
        pool = TestDirectories.small().name(NAME).collectsStats(true).build();
        orders = new ClockhandDirectory(folder.resolve("orders"), pool);
        customers = new ClockhandDirectory(folder.resolve("customers"), pool);
        readTwice(orders, "_0.vec");
        readTwice(orders, "_0.doc");
        readTwice(customers, "_0.doc");
        readTwice(customers, "_1.doc");
    }

    @AfterEach
    void close() throws IOException {
        orders.close();
        customers.close();
        pool.close();
    }

    /** Reads the first of two pages: a miss, then a hit. */
    private static void readTwice(Directory directory, String name) throws IOException {
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
            output.writeBytes(new byte[2 * TestDirectories.PAGE_BYTES], 2 * TestDirectories.PAGE_BYTES);
        }
        for (int i = 0; i < 2; i++) {
            try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
                input.readByte();
            }
        }
    }

    private String path(String directory) {
        return folder.resolve(directory).toString();
    }

    private static Set<ObjectName> beans(String type) throws Exception {
        return SERVER.queryNames(new ObjectName("io.clockhand:type=" + type + ",name=" + NAME), null);
    }

    @Test
    void beanHasTheFiguresOfEachDirectoryAndKind() throws Exception {
        assertThat(beans("BufferPool")).hasSize(1);
        ObjectName found = beans("DirectoryPool").iterator().next();
        DirectoryPoolMXBean bean = JMX.newMXBeanProxy(SERVER, found, DirectoryPoolMXBean.class);
        assertThat(bean.getName()).isEqualTo(NAME);
        assertThat(bean.getDirectories()).isEqualTo(2);
        assertThat(bean.getFigures())
                .containsExactly(
                        entry(
                                path("customers"),
                                new TreeMap<>(Map.of("doc", new KindStats(2, 4 * BYTES, 2 * BYTES, 2, 2)))),
                        entry(
                                path("orders"),
                                new TreeMap<>(Map.of(
                                        "doc",
                                        new KindStats(1, 2 * BYTES, BYTES, 1, 1),
                                        "vec",
                                        new KindStats(1, 2 * BYTES, BYTES, 1, 1)))));
        assertThat(bean.getHitRatioByDirectory())
                .containsExactly(entry(path("customers"), 0.5), entry(path("orders"), 0.5));
        assertThat(bean.getHitRatioByKind()).containsExactly(entry("doc", 0.5), entry("vec", 0.5));
        assertThat(bean.getResidentBytesByDirectory())
                .containsExactly(entry(path("customers"), 2 * BYTES), entry(path("orders"), 2 * BYTES));
        orders.close();
        assertThat(bean.getDirectories()).isEqualTo(1);
        assertThat(bean.getFigures()).containsOnlyKeys(path("customers"));
    }

    @Test
    void beanLastsAsLongAsThePool() throws Exception {
        assertThat(beans("DirectoryPool")).hasSize(1);
        pool.close();
        assertThat(beans("DirectoryPool")).isEmpty();
        try (DirectoryPool unnamed = TestDirectories.small().build()) {
            assertThat(unnamed.directoryStats()).isEmpty();
            assertThat(SERVER.queryNames(new ObjectName("io.clockhand:type=DirectoryPool,*"), null))
                    .isEmpty();
        }
    }

    @Test
    void eventsHaveTheFiguresOfEachDirectoryAndKind() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("io.clockhand.LuceneDirectory").with("period", "beginChunk");
            recording.start();
            recording.stop();
            Path file = folder.resolve("events.jfr");
            recording.dump(file);
            List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("io.clockhand.LuceneDirectory"))
                    .toList();
            assertThat(events).extracting(event -> event.getString("pool")).containsOnly(NAME);
            assertThat(events)
                    .extracting(
                            event -> event.getString("directory"),
                            event -> event.getString("kind"),
                            event -> event.getInt("files"),
                            event -> event.getLong("residentBytes"),
                            event -> event.getLong("hits"),
                            event -> event.getLong("misses"))
                    .containsExactly(
                            tuple(path("customers"), "doc", 2, 2 * BYTES, 2L, 2L),
                            tuple(path("orders"), "doc", 1, BYTES, 1L, 1L),
                            tuple(path("orders"), "vec", 1, BYTES, 1L, 1L));
        }
    }
}
