// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.duel.Bootstrap;
import io.clockhand.duel.Rounds;
import io.clockhand.duel.Slice;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares ways to read a cold file from its beginning to its end: those of {@link SequentialReadBenchmark}, in turn,
 * in several JVMs. Before each pass the operating system gives up what it has of the file in its cache, by GNU {@code
 * dd}; so the device reads the file each time.
 */
@Command(
        name = "ColdRead",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads a cold file by a channel, by a pool that reads ahead, and by one that does not, in turn.",
            "Needs Linux with GNU dd, and room for three files in the temporary folder."
        })
public final class ColdRead implements Callable<Integer> {
    private static final List<String> READERS = List.of("channel", "ahead", "single");

    @Option(names = "--direct", description = "Past the operating system's cache.")
    private boolean direct;

    @Option(names = "--megabytes", description = "The size of the file; ${DEFAULT-VALUE} if not set.")
    private int megabytes = 1024;

    @Option(names = "--rounds", description = "Passes of each reader in a JVM; ${DEFAULT-VALUE} if not set.")
    private int rounds = 3;

    @Option(names = "--jvms", description = "JVMs, one after the other; ${DEFAULT-VALUE} if not set.")
    private int jvms = 8;

    @Option(names = "--play", hidden = true, description = "Plays the rounds in this JVM.")
    private boolean play;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ColdRead()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (play) {
            play();
            return 0;
        }
        List<List<List<Slice>>> processes = new ArrayList<>();
        for (int jvm = 1; jvm <= jvms; jvm++) {
            processes.add(playInAnotherJvm());
            System.err.println("ColdRead: " + jvm + " of " + jvms + " JVMs");
        }
        System.out.print(Bootstrap.evaluate(new Rounds(READERS, true, processes), "channel", 1)
                .table());
        System.out.println("An operation reads 256 KiB.");
        return 0;
    }

    private List<List<Slice>> playInAnotherJvm() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ColdRead.class.getName(),
                "--play",
                "--megabytes=" + megabytes,
                "--rounds=" + rounds));
        if (direct) {
            command.add("--direct");
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<List<Slice>> played = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Scanner figures = new Scanner(line);
                List<Slice> round = new ArrayList<>();
                while (figures.hasNext()) {
                    round.add(new Slice(figures.nextLong(), figures.nextLong()));
                }
                played.add(round);
            }
        }
        if (process.waitFor() != 0 || played.size() != rounds) {
            throw new IOException("a JVM has failed; its message stands above");
        }
        return played;
    }

    private void play() throws IOException, InterruptedException, ReflectiveOperationException {
        List<SequentialReadBenchmark> readers = new ArrayList<>();
        try {
            for (String name : READERS) {
                SequentialReadBenchmark reader = new SequentialReadBenchmark();
                reader.reader = name;
                reader.direct = direct;
                reader.megabytes = megabytes;
                readers.add(reader);
                reader.open();
            }
            for (SequentialReadBenchmark reader : readers) {
                pass(reader); // so that it is compiled
            }
            for (int round = 0; round < rounds; round++) {
                StringBuilder line = new StringBuilder();
                for (SequentialReadBenchmark reader : readers) {
                    Slice slice = pass(reader);
                    line.append(line.isEmpty() ? "" : " ")
                            .append(slice.operations())
                            .append(' ')
                            .append(slice.nanos());
                }
                System.out.println(line);
            }
        } finally {
            for (SequentialReadBenchmark reader : readers) {
                reader.close();
            }
        }
    }

    private static Slice pass(SequentialReadBenchmark reader) throws IOException, InterruptedException {
        forget(reader.path());
        int reads = reader.reads();
        long begin = System.nanoTime();
        for (int i = 0; i < reads; i++) {
            reader.read();
        }
        return new Slice(reads, System.nanoTime() - begin);
    }

    /** The operating system gives up what it has of a file in its cache. */
    private static void forget(Path file) throws IOException, InterruptedException {
        int status = new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("dd could not make the system forget " + file);
        }
    }
}
