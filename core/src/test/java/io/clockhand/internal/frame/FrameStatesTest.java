// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The state word: which transition is possible from which state, and what it leaves. */
class FrameStatesTest {
    private static final int FRAME = 3;

    /** Every state that a frame can be in, by the way there. */
    enum From {
        FREE,
        TAKEN,
        EMPTY_PINNED,
        READY_PINNED,
        READY,
        CLAIMED,
        QUEUED,
        WRITING_PINNED,
        DOOMED;

        private void go(FrameStates states) {
            switch (this) {
                case FREE -> {}
                case TAKEN -> states.tryTakeFree(FRAME);
                case EMPTY_PINNED -> {
                    TAKEN.go(states);
                    states.publishPinned(FRAME, 1);
                }
                case READY_PINNED -> {
                    EMPTY_PINNED.go(states);
                    states.ready(FRAME);
                }
                case READY -> {
                    READY_PINNED.go(states);
                    states.unpin(FRAME);
                }
                case CLAIMED -> {
                    READY.go(states);
                    states.tryClaim(FRAME);
                }
                case QUEUED -> {
                    CLAIMED.go(states);
                    states.revoke(FRAME, true);
                }
                case WRITING_PINNED -> {
                    READY_PINNED.go(states);
                    states.tryBeginWriting(FRAME);
                }
                case DOOMED -> {
                    EMPTY_PINNED.go(states);
                    states.tryPin(FRAME, 0);
                    states.giveUp(FRAME);
                }
            }
        }

        FrameStates states() {
            FrameStates states = new FrameStates(8);
            go(states);
            return states;
        }
    }

    /** A transition that answers whether it was made. */
    private static Arguments tries(String name, Predicate<FrameStates> transition, From... possible) {
        return Arguments.of(name, transition, Set.of(possible));
    }

    static List<Arguments> tryTransitions() {
        return List.of(
                tries(
                        "tryPin",
                        f -> f.tryPin(FRAME, 3) != FrameStates.NOT_PINNED,
                        From.EMPTY_PINNED,
                        From.READY_PINNED,
                        From.READY,
                        From.QUEUED,
                        From.WRITING_PINNED),
                tries("tryClaim", f -> f.tryClaim(FRAME), From.READY),
                tries("tryClaimQueued", f -> f.tryClaimQueued(FRAME), From.READY, From.QUEUED),
                tries("ageOrClaim", f -> f.ageOrClaim(FRAME) != FrameOutcome.SKIPPED, From.READY),
                tries("tryTakeFree", f -> f.tryTakeFree(FRAME), From.FREE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tryTransitions")
    void tryTransitionIsMadeFromItsStatesAndChangesNothingInOthers(
            String name, Predicate<FrameStates> transition, Set<From> possible) {
        for (From from : From.values()) {
            FrameStates states = from.states();
            long before = states.state(FRAME);
            assertThat(transition.test(states)).as("%s from %s", name, from).isEqualTo(possible.contains(from));
            if (!possible.contains(from)) {
                assertThat(states.state(FRAME)).as("%s from %s", name, from).isEqualTo(before);
            }
        }
    }

    /** A transition that only the owner of the frame may make, and that says so if it is made by another. */
    private static Arguments owns(String name, Consumer<FrameStates> transition, From... possible) {
        return Arguments.of(name, transition, Set.of(possible));
    }

    static List<Arguments> ownersTransitions() {
        From[] pinned = {From.EMPTY_PINNED, From.READY_PINNED, From.WRITING_PINNED, From.DOOMED};
        From[] owned = Stream.concat(Stream.of(pinned), Stream.of(From.TAKEN, From.CLAIMED))
                .toArray(From[]::new);
        return List.of(
                owns("unpin", f -> f.unpin(FRAME), pinned),
                owns("tryClaimLastPin", f -> f.tryClaimLastPin(FRAME), pinned),
                owns("publishPinned", f -> f.publishPinned(FRAME, 1), From.TAKEN, From.CLAIMED),
                owns("revoke", f -> f.revoke(FRAME, false), From.TAKEN, From.CLAIMED),
                owns("free", f -> f.free(FRAME), From.TAKEN, From.CLAIMED),
                owns("ready", f -> f.ready(FRAME), From.EMPTY_PINNED),
                owns("giveUp", f -> f.giveUp(FRAME), From.EMPTY_PINNED),
                owns("tryBeginWriting", f -> f.tryBeginWriting(FRAME), owned),
                owns("endWriting", f -> f.endWriting(FRAME), From.WRITING_PINNED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ownersTransitions")
    void ownersTransitionFromAnotherStateIsAnErrorThatShowsTheState(
            String name, Consumer<FrameStates> transition, Set<From> possible) {
        for (From from : From.values()) {
            FrameStates states = from.states();
            long before = states.state(FRAME);
            if (possible.contains(from)) {
                transition.accept(states);
            } else {
                assertThatThrownBy(() -> transition.accept(states))
                        .as("%s from %s", name, from)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("frame " + FRAME)
                        .hasMessageContaining(FrameState.toString(before));
                assertThat(states.state(FRAME)).isEqualTo(before);
            }
        }
    }

    @Test
    void moreThan65535PinsAreRefusedAndTheWordStaysRight() {
        FrameStates states = From.READY.states();
        states.setIdentity(FRAME, 7);
        for (int i = 0; i < 65_535; i++) {
            states.tryPin(FRAME, 0);
        }
        long full = states.state(FRAME);
        assertThat(FrameState.isFull(full)).isTrue();

        assertThat(states.tryPin(FRAME, 3)).isEqualTo(FrameStates.NOT_PINNED);
        assertThat(states.tryPinReady(FRAME, 7, 3)).isFalse();
        assertThat(states.tryPinForDirtyCheck(FRAME)).isEqualTo(FrameStates.NOT_PINNED);

        assertThat(states.state(FRAME)).isEqualTo(full);
        for (int i = 0; i < 65_535; i++) {
            states.unpin(FRAME);
        }
        assertThat(states.state(FRAME)).isEqualTo(From.READY.states().state(FRAME));
    }

    @Test
    void pinByIdentityIsMadeOnlyWhereAContentOfThatIdentityIsReady() {
        for (From from : From.values()) {
            FrameStates states = from.states();
            if (!FrameState.isFree(states.state(FRAME))) {
                states.setIdentity(FRAME, 42);
            }
            long before = states.state(FRAME);
            boolean ready = Set.of(From.READY_PINNED, From.READY, From.QUEUED, From.WRITING_PINNED)
                    .contains(from);

            assertThat(states.tryPinReady(FRAME, 41, 3)).as("%s", from).isFalse();
            assertThat(states.state(FRAME)).as("%s", from).isEqualTo(before);
            assertThat(states.tryPinReady(FRAME, 42, 3)).as("%s", from).isEqualTo(ready);
            assertThat(FrameState.pins(states.state(FRAME)) - FrameState.pins(before))
                    .as("%s", from)
                    .isEqualTo(ready ? 1 : 0);
        }
    }

    @Test
    void pinsAddWeightUpToTheCapAndSweepsTakeItOff() {
        FrameStates states = From.READY.states();
        for (int i = 0; i < 10; i++) {
            states.tryPin(FRAME, 3);
            states.unpin(FRAME);
        }
        assertThat(FrameState.weight(states.state(FRAME))).isEqualTo(3);

        assertThat(states.ageOrClaim(FRAME)).isEqualTo(FrameOutcome.AGED);
        assertThat(states.ageOrClaim(FRAME)).isEqualTo(FrameOutcome.AGED);
        assertThat(states.ageOrClaim(FRAME)).isEqualTo(FrameOutcome.CLAIMED);
        assertThat(FrameState.weight(states.state(FRAME))).isZero();
    }

    @Test
    void weightSaturatesBelowThePinsAndTheClaim() {
        FrameStates states = From.READY.states();
        for (int i = 0; i < FrameState.MAX_WEIGHT + 10; i++) {
            states.tryPin(FRAME, FrameState.MAX_WEIGHT);
            states.unpin(FRAME);
        }

        assertThat(FrameState.weight(states.state(FRAME))).isEqualTo(FrameState.MAX_WEIGHT);
        assertThat(FrameState.isClaimed(states.state(FRAME))).isFalse();
        assertThat(FrameState.pins(states.state(FRAME))).isZero();
    }

    @Test
    void lastUnpinOfADoomedFrameFreesIt() {
        FrameStates states = From.EMPTY_PINNED.states();
        states.tryPin(FRAME, 0);
        states.tryPin(FRAME, 0);
        states.giveUp(FRAME);
        assertThat(FrameState.content(states.state(FRAME))).isEqualTo(FrameState.FAILED);

        long first = states.unpin(FRAME);
        assertThat(FrameState.isLastOfDoomed(first)).isFalse();
        states.completeUnpin(FRAME, first);
        assertThat(FrameState.isFree(states.state(FRAME))).isFalse();
        long before = states.unpin(FRAME);
        assertThat(FrameState.isQuiet(before)).isFalse();
        assertThat(FrameState.isLastOfDoomed(before)).isTrue();
        states.completeUnpin(FRAME, before);

        assertThat(FrameState.isFree(states.state(FRAME))).isTrue();
        assertThat(FrameState.isDoomed(states.state(FRAME))).isFalse();
    }

    @Test
    void onlyPinOfAFrameThatIsGivenUpFreesItAtOnce() {
        FrameStates states = From.EMPTY_PINNED.states();

        states.giveUp(FRAME);

        assertThat(FrameState.isFree(states.state(FRAME))).isTrue();
    }

    @Test
    void lastPinBecomesAClaimOnlyWhenItIsTheLast() {
        FrameStates states = From.READY_PINNED.states();
        states.tryPin(FRAME, 0);
        assertThat(states.tryClaimLastPin(FRAME)).isFalse();
        states.unpin(FRAME);

        assertThat(states.tryClaimLastPin(FRAME)).isTrue();

        assertThat(FrameState.isClaimed(states.state(FRAME))).isTrue();
        assertThat(FrameState.pins(states.state(FRAME))).isZero();
    }

    @Test
    void generationChangesWithEveryBindingAndWrapsIntoNothingElse() {
        FrameStates states = From.READY.states();
        int first = FrameState.generation(states.state(FRAME));
        long word = states.state(FRAME);
        for (int i = 1; i <= 65_536; i++) {
            states.tryClaim(FRAME);
            states.publishPinned(FRAME, 1);
            assertThat(FrameState.generation(states.state(FRAME)) == ((first + i) & 0xFFFF))
                    .isTrue();
            states.ready(FRAME);
            states.unpin(FRAME);
        }
        assertThat(states.state(FRAME)).isEqualTo(word);
    }

    @Test
    void pinInAGenerationLeavesALaterBindingAlone() {
        FrameStates states = From.READY.states();
        int former = FrameState.generation(states.state(FRAME));
        states.tryClaim(FRAME);
        states.publishPinned(FRAME, 1);
        states.ready(FRAME);
        states.unpin(FRAME);
        long word = states.state(FRAME);

        assertThat(states.tryPinIn(FRAME, former, 3))
                .as("pin of a former binding")
                .isEqualTo(FrameStates.NOT_PINNED);
        assertThat(states.state(FRAME)).isEqualTo(word);

        assertThat(states.tryPinIn(FRAME, FrameState.generation(word), 3)).isNotEqualTo(FrameStates.NOT_PINNED);
        assertThat(FrameState.pins(states.state(FRAME))).isOne();
        assertThat(FrameState.weight(states.state(FRAME))).isEqualTo(2);
    }

    @Test
    void oneWriteBackAtATimeAndItsEndTakesTheFrameOffTheQueue() {
        FrameStates states = From.QUEUED.states();
        states.tryPin(FRAME, 0);
        assertThat(states.tryBeginWriting(FRAME)).isTrue();
        assertThat(states.tryBeginWriting(FRAME)).isFalse();

        states.endWriting(FRAME);

        assertThat(FrameState.isWriting(states.state(FRAME))).isFalse();
        assertThat(FrameState.isQueued(states.state(FRAME))).isFalse();
        assertThat(FrameState.pins(states.state(FRAME))).isEqualTo(1);
    }

    @Test
    void dirtyCheckIsDistinguishedFromAUserUntilItEndsWithOrWithoutItsPin() {
        FrameStates states = From.READY.states();

        assertThat(FrameState.isDirtyCheck(states.tryPinForDirtyCheck(FRAME))).isTrue();
        assertThat(states.tryPinForDirtyCheck(FRAME)).isEqualTo(FrameStates.NOT_PINNED);
        assertThat(FrameState.isDirtyCheck(states.tryPin(FRAME, 0))).isFalse();
        states.unpin(FRAME);
        assertThat(FrameState.isDirtyCheck(states.state(FRAME))).isTrue();
        states.endDirtyCheck(FRAME, true);
        assertThat(FrameState.isDirtyCheck(states.state(FRAME))).isFalse();
        assertThat(FrameState.pins(states.state(FRAME))).isEqualTo(1);

        states.tryPinForDirtyCheck(FRAME);
        states.unpin(FRAME);
        states.endDirtyCheck(FRAME, false);
        assertThat(FrameState.isUnused(states.state(FRAME))).isTrue();
    }

    @Test
    void dirtyCheckThatHadTheLastPinOfADoomedFrameFreesIt() {
        FrameStates states = From.EMPTY_PINNED.states();
        states.tryPinForDirtyCheck(FRAME);
        states.giveUp(FRAME);

        states.endDirtyCheck(FRAME, false);

        assertThat(FrameState.isFree(states.state(FRAME))).isTrue();
        assertThat(FrameState.isDirtyChecked(states.state(FRAME))).isFalse();
    }

    @Test
    void neighboursAreNotTouched() {
        FrameStates states = new FrameStates(600);
        long free = states.state(0);
        for (int frame : new int[] {1, 255, 256, 511}) {
            states.tryTakeFree(frame);
            states.publishPinned(frame, FrameState.MAX_WEIGHT);
            states.ready(frame);
        }
        for (int frame : new int[] {0, 2, 254, 257, 510, 512, 599}) {
            assertThat(states.state(frame)).isEqualTo(free);
        }
    }

    @Test
    void growthLeavesTheExistingStates() {
        FrameStates states = From.READY_PINNED.states();
        long before = states.state(FRAME);

        states.ensureFrames(5_000);

        assertThat(states.state(FRAME)).isEqualTo(before);
        assertThat(FrameState.isFree(states.state(4_999))).isTrue();
    }

    /** In small and large pools, and across what was added later. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 1_000, 5_000})
    void noTwoFramesShareAWord(int frames) {
        FrameStates states = new FrameStates(frames);
        int all = 2 * frames + 9_000;
        states.ensureFrames(frames + 1);
        states.ensureFrames(all);
        for (int frame = 0; frame < all; frame++) {
            assertThat(states.tryTakeFree(frame)).isTrue();
            states.setIdentity(frame, -frame * 0x1_0000_0001L);
        }
        for (int frame = 0; frame < all; frame++) {
            assertThat(states.identity(frame)).isEqualTo(-frame * 0x1_0000_0001L);
            assertThat(FrameState.isFree(states.state(frame))).isFalse();
        }
    }

    @Test
    void stateReadsLikeASentence() {
        FrameStates states = From.WRITING_PINNED.states();

        assertThat(FrameState.toString(states.state(FRAME)))
                .isEqualTo("[generation=1, content=READY, weight=1, pins=1, writing]");
        assertThat(FrameState.toString(From.DOOMED.states().state(FRAME))).contains("FAILED", "doomed");
        assertThat(FrameState.toString(From.QUEUED.states().state(FRAME))).contains("queued");
        assertThat(FrameState.toString(From.FREE.states().state(FRAME))).contains("claimed, free");
    }

    /** It is clean, or the thread that checked it writes it: in both cases no other thread takes it from the queue. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void frameIsNotQueuedAfterADirtyCheck(boolean staysPinned) {
        FrameStates states = new FrameStates(FRAME + 1);
        From.QUEUED.go(states);
        assertThat(FrameState.isQueued(states.tryPinForDirtyCheck(FRAME)))
                .as("whether the frame is queued during the check")
                .isTrue();

        states.endDirtyCheck(FRAME, staysPinned);

        assertThat(FrameState.isQueued(states.state(FRAME)))
                .as("whether the frame is queued after the check")
                .isFalse();
        assertThat(FrameState.isDirtyChecked(states.state(FRAME))).isFalse();
        assertThat(FrameState.pins(states.state(FRAME))).isEqualTo(staysPinned ? 1 : 0);
    }
}
