// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.KilledJvm;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A database in a folder of its own, on which child JVMs crash and recover: durability {@code full}, a pool that holds
 * a part of the data only, and checkpoints as often as Derby can have them.
 */
final class CrashSite {
    private static final Scale SCALE = new Scale(1, 10, 60, 2000, 3);
    private static final String SHORTEST_BYTES = "100000";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Installation INSTALLATION = Installation.here();

    private final Path home;
    private final long allocatedPages;
    private final int poolPages;

    private CrashSite(Path home, long allocatedPages, int poolPages) {
        this.home = home;
        this.allocatedPages = allocatedPages;
        this.poolPages = poolPages;
    }

    /** Loads the database. */
    static CrashSite loaded(Path home) throws IOException {
        CrashSite empty = new CrashSite(home, 0, 0);
        empty.writeProperties(DerbyProperties.ofLoad());
        long pages = empty.ask(new Loader(empty.database().toString(), SCALE), Long.class);
        return new CrashSite(home, pages, Pool.FEWEST_PAGES);
    }

    /** The same, as it is now, in another folder, with a pool for this share of the data. */
    CrashSite copy(Path other, int poolPercent) throws IOException {
        return new CrashSite(home, allocatedPages, Pool.share(poolPercent, allocatedPages)).copy(other);
    }

    /** The same, as it is now, in another folder, whose content goes. */
    CrashSite copy(Path other) throws IOException {
        CrashSite copy = new CrashSite(other, allocatedPages, poolPages);
        Disk.deleteTree(other);
        Files.createDirectories(other);
        Disk.copyTree(database(), copy.database());
        return copy;
    }

    /** Kills a JVM at a step of its recovery, or at the end of it if there are no more steps; returns its last line. */
    String crashInRecovery(Contender cache, int step) throws IOException, InterruptedException {
        List<String> lines = crash(
                cache,
                StallingCacheFactory.class.getName(),
                0,
                line -> line.startsWith(StallingCacheFactory.REACHED)
                        || line.startsWith(StallingCacheFactory.RECOVERED),
                0,
                "-D" + StallingCacheFactory.STEP + "=" + step);
        return lines.get(lines.size() - 1);
    }

    /**
     * Kills a JVM while its terminals work; {@code factory} names another cache factory than Clockhand's, or is null.
     *
     * @param isMoment accepts the line after which the JVM is killed
     * @param micros between that line and the kill
     * @return the lines that the JVM printed
     */
    List<String> crash(
            Contender cache, String factory, long seed, Predicate<String> isMoment, long micros, String... moreFlags)
            throws IOException, InterruptedException {
        writeProperties(properties(cache, factory));
        Path orderFile = home.resolve("order.json");
        new ObjectMapper().writeValue(orderFile.toFile(), order(cache, seed, null));
        List<String> flags = new ArrayList<>(flags());
        flags.addAll(List.of(moreFlags));
        flags.addAll(List.of("-cp", classPath(), RunChild.class.getName()));
        flags.addAll(List.of(orderFile.toString(), home.resolve("answer.json").toString()));
        return KilledJvm.run(flags, home, isMoment, micros);
    }

    /** Has a JVM recover, check, work on, close, and check again. */
    CrashRun.Answer recover(Contender cache, long seed, List<String> receipts) {
        writeProperties(properties(cache, null));
        return ask(order(cache, seed, receipts), CrashRun.Answer.class);
    }

    /** The lowest number of a log file: checkpoints delete those that recovery would not read. */
    long firstLogFile() throws IOException {
        try (Stream<Path> files = Files.list(database().resolve("log"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("log\\d+\\.dat"))
                    .mapToLong(name -> Long.parseLong(name.replaceAll("\\D", "")))
                    .min()
                    .orElseThrow();
        }
    }

    /** The file of Derby's log of a recovery that failed. */
    Path log() {
        return home.resolve("child.log");
    }

    private Map<String, String> properties(Contender cache, String factory) {
        Map<String, String> lines = DerbyProperties.ofRun(cache.policy(), poolPages, 1);
        lines.remove(DerbyProperties.DURABILITY);
        lines.put("derby.storage.checkpointInterval", SHORTEST_BYTES);
        lines.put("derby.storage.logSwitchInterval", SHORTEST_BYTES);
        if (factory != null) {
            DerbyProperties.useFactory(lines, factory);
        }
        return lines;
    }

    private void writeProperties(Map<String, String> lines) {
        try {
            Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CrashRun order(Contender cache, long seed, List<String> receipts) {
        return new CrashRun(database().toString(), SCALE, cache, poolPages, seed, receipts);
    }

    private <A> A ask(Order<A> order, Class<A> answerType) {
        ChildJvm jvm = new ChildJvm(RunChild.class.getName(), classPath(), flags(), home, PATIENCE, log());
        try (CleanUp cleanUp = new CleanUp()) {
            return jvm.ask(order, answerType, answer -> true, cleanUp, fraction -> {});
        }
    }

    private List<String> flags() {
        return List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dderby.system.home=" + home);
    }

    private static String classPath() {
        return INSTALLATION.classPath(List.of(), INSTALLATION.newestDerby());
    }

    private Path database() {
        return home.resolve("database");
    }
}
