// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.SliceBoard;
import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Duel.Entrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuelTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The referee starts two contenders in the opposite order with this seed. */
    private static final long SEED = 1;

    @TempDir
    private Path directory;

    /** Who it is, and its file of slices. */
    record Order(String name, String slices) {}

    /** Answers with its name. */
    static final class Named {
        public static void main(String[] arguments) {
            Child.serve(arguments, Order.class, order -> {
                SliceClock clock = SliceClock.open(Path.of(order.slices()));
                SliceClock.Counter counter = clock.counter(0);
                clock.ready();
                while (!clock.isOver()) {
                    counter.add(1);
                    Thread.onSpinWait();
                }
                return order.name();
            });
        }
    }

    private Entrant entrant(String name, CleanUp cleanUp) {
        return new Entrant(name, 1, () -> start(name, cleanUp));
    }

    private Entrant.Started start(String name, CleanUp cleanUp) throws IOException {
        Path home = Files.createDirectory(directory.resolve(name));
        Path slices = home.resolve("slices");
        SliceBoard board = SliceBoard.create(slices, 1);
        ChildJvm jvm = new ChildJvm(
                Named.class.getName(),
                System.getProperty("java.class.path"),
                List.of(),
                home,
                PATIENCE,
                directory.resolve(name + ".log"));
        return new Entrant.Started(jvm.start(new Order(name, slices.toString()), cleanUp), board);
    }

    @Test
    void answersBelongToTheirContendersInWhateverOrderTheyWereStarted() {
        List<String> names = List.of("first", "second");
        Duration slice = Duration.ofMillis(20);
        DuelSettings settings = new DuelSettings(slice, slice, Duration.ZERO, 1, SEED, Map.of(), true);
        try (CleanUp cleanUp = new CleanUp();
                Progress progress = Progress.of("duel")) {
            Stream<Entrant> entrants = names.stream().map(name -> entrant(name, cleanUp));

            Duel.Outcome<String> outcome =
                    new Duel(settings, PATIENCE).run(entrants.toList(), String.class, good -> true, progress);

            assertThat(outcome.answers()).isEqualTo(names);
        }
    }
}
