// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
    @TempDir
    private Path directory;

    private Path log() {
        return directory.resolve("child.log");
    }

    private String ask(Class<?> child, Duration patience, Predicate<String> isGood) {
        ChildJvm jvm = new ChildJvm(
                child.getName(), System.getProperty("java.class.path"), Tier.CHILD_FLAGS, directory, patience, log());
        try (CleanUp cleanUp = new CleanUp()) {
            return jvm.ask("order", String.class, isGood, cleanUp, fraction -> {});
        }
    }

    /** Answers with its order. */
    static final class Echo {
        public static void main(String[] arguments) {
            Child.serve(arguments, String.class, order -> order);
        }
    }

    /** Never ends, and repeats its report. */
    static final class Hung {
        public static void main(String[] arguments) {
            Child.serve(arguments, String.class, order -> {
                CountDownLatch never = new CountDownLatch(1);
                while (!never.await(100, TimeUnit.MILLISECONDS)) {
                    Child.progress(0.5, "no further");
                }
                return order;
            });
        }
    }

    @Test
    void logOfGoodAnswerGoes() {
        assertThat(ask(Echo.class, Duration.ofMinutes(1), answer -> true)).isEqualTo("order");
        assertThat(log()).doesNotExist();
    }

    @Test
    void logOfBadAnswerStays() {
        assertThat(ask(Echo.class, Duration.ofMinutes(1), answer -> false)).isEqualTo("order");
        assertThat(log()).exists();
    }

    /** A child that has not yet begun when its patience is over writes its threads, too. */
    @Test
    void hungChildIsEndedAndItsThreadsAreInItsLog() {
        assertThatThrownBy(() -> ask(Hung.class, Duration.ofSeconds(1), answer -> true))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("the child JVM hung: it reported nothing new for 1 s; its log is " + log());
        assertThat(log()).content().contains("\"main\"", "\"workbench watch\"");
    }
}
