// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.FileOption;
import io.clockhand.wal.LogFile;
import io.clockhand.wal.LogStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records of 100 bytes, each appended and forced: by a {@link LogFile}, whose threads share forces, or written to a
 * {@link FileChannel} with a force each. After each iteration of a log it prints the commits per force. The folder is
 * that of the property {@code java.io.tmpdir}, which must lie on the device to be measured.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar LogAppend -t 16 -jvmArgsAppend -Djava.io.tmpdir=FOLDER
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(2)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 3)
public class LogAppendBenchmark {
    private static final int RECORD_BYTES = 100;

    @Param({"log", "direct log", "channel"})
    public String where;

    private final byte[] record = new byte[RECORD_BYTES];
    private final AtomicLong position = new AtomicLong();
    private Path folder;
    private LogFile log;
    private FileChannel channel;
    private LogStats before;

    /** Opens an empty log, or an empty file. */
    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("log-append");
        if (where.equals("channel")) {
            channel = FileChannel.open(folder.resolve("log"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } else {
            FileOption[] options = where.equals("log")
                    ? new FileOption[] {FileOption.CREATE_NEW}
                    : new FileOption[] {FileOption.CREATE_NEW, FileOption.DIRECT};
            log = LogFile.builder(folder.resolve("log")).options(options).open();
        }
    }

    /** Counts from here. */
    @Setup(Level.Iteration)
    public void count() {
        before = log == null ? null : log.stats();
    }

    /** One record, durable. */
    @Benchmark
    public void appendAndForce() throws IOException {
        if (log != null) {
            log.makeDurable(log.append(record));
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(record);
        long at = position.getAndAdd(RECORD_BYTES);
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position());
        }
        channel.force(false);
    }

    /** Prints how many commits a force has served. */
    @TearDown(Level.Iteration)
    public void printForces() {
        if (log != null) {
            LogStats now = log.stats();
            double appends = now.appends() - before.appends();
            System.out.printf("%.1f commits per force, ", appends / Math.max(1, now.forces() - before.forces()));
        }
    }

    /** Closes and deletes all. */
    @TearDown
    public void close() throws IOException {
        if (log == null) {
            channel.close();
        } else {
            log.close();
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
