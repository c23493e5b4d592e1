// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.duel.Contender;
import io.clockhand.duel.ContenderFailure;
import io.clockhand.duel.ContenderProcess;
import io.clockhand.duel.CountedProcess;
import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.Referee;
import io.clockhand.duel.Rounds;
import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.environment.StartedChild;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * All contenders of a setting, each in a child JVM of its own, which run in turn.
 *
 * @param patience how long a child may take to prepare its data, and to check them at the end
 */
public record Duel(DuelSettings settings, Duration patience) {

    /**
     * One contender.
     *
     * @param name differs from those of the others
     * @param counters how many threads of the child count operations
     * @param start prepares the data and starts the child
     */
    public record Entrant(String name, int counters, Start start) {

        /** Prepares the data of a contender and starts its child; returns at once. */
        public interface Start {
            Started start() throws IOException;
        }

        /**
         * A child that waits for its first slice.
         *
         * @param slices the file that its order names; made before the child is started
         */
        public record Started(StartedChild child, SliceBoard slices) {}
    }

    /**
     * The slices of a duel and the answers of its children.
     *
     * @param answers in the order of the contenders
     */
    public record Outcome<A>(Rounds rounds, List<A> answers) {}

    /** Runs it; a {@link CommandFailure} names the contender that failed. No process is left afterwards. */
    public <A> Outcome<A> run(List<Entrant> entrants, Class<A> answerType, Predicate<A> isGood, Progress progress) {
        Map<Entrant, StartedChild> children = new LinkedHashMap<>();
        try {
            List<Contender> contenders = entrants.stream()
                    .map(entrant -> contender(entrant, children))
                    .toList();
            Rounds rounds = Referee.run(contenders, settings, (fraction, text) -> progress.at(fraction));
            List<A> answers = new ArrayList<>();
            for (Entrant entrant : entrants) { // which are started in another order
                answers.add(children.get(entrant).answer(answerType, isGood));
            }
            return new Outcome<>(rounds, answers);
        } catch (ContenderFailure failure) {
            throw inWordsOfTheChild(failure, children.values());
        } catch (IOException e) {
            throw new CommandFailure("cannot run a duel: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        } finally {
            children.values().forEach(StartedChild::close);
        }
    }

    private Contender contender(Entrant entrant, Map<Entrant, StartedChild> children) {
        return new Contender() {
            @Override
            public String name() {
                return entrant.name();
            }

            @Override
            public ContenderProcess start() throws IOException {
                Entrant.Started started = entrant.start().start();
                children.put(entrant, started.child());
                return new CountedProcess(
                        entrant.name(), started.child().process(), started.slices(), settings.slice(), patience);
            }
        };
    }

    private static CommandFailure inWordsOfTheChild(ContenderFailure failure, Collection<StartedChild> children) {
        try {
            for (StartedChild child : children) {
                if (child.hasExplanation()) {
                    return child.failure(failure.getMessage());
                }
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return new CommandFailure(failure.getMessage(), failure);
    }
}
