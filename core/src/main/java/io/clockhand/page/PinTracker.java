// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.PinTrace;
import io.clockhand.PoolExhaustedException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Who has pinned what, where and since when: one {@link Pin} for each guard or optimistic reader that has a page, in a
 * concurrent set.
 *
 * <p><b>Who writes.</b> The thread that fixes a page adds a pin after it has the page and its latch, and takes it out
 * after it has let them go. So a fix that fails leaves nothing, and a page that stays pinned is listed; but a page is
 * pinned and not listed for a moment, while it is read, or its latch is waited for, and listed for a moment after it
 * was unfixed. All fields of a pin are final but two: {@code mode}, which only the thread that has the latch changes,
 * and {@code stack}, which whoever lists the pin works out if nobody has yet: two may do so at once, and find the same.
 * Both are volatile, and pair with the loads of who lists; the rest is published by the set.
 *
 * <p><b>Guards that are lost.</b> A pin refers to its guard weakly, and the set holds the pin: so a guard that nobody
 * has any more is collected, while its pin stays, and tells that it was, since its reference is empty. Nothing is done
 * about the page: what would unfix it in the collector's time would hide the fault, and could let a page go whose bytes
 * are still in use.
 *
 * <p><b>Stacks.</b> A {@link Throwable} keeps the stack as the virtual machine has it; names and lines are looked up
 * when somebody lists the pin.
 *
 * <p>Thread-safe. No state hangs on a thread: stripes are those of the map, by the pin's hash.
 */
final class PinTracker {
    /** What a message about pins says if they are not tracked. */
    static final String HINT = "build the pool with detectLeaks(true) to learn where pages were fixed";

    /** So many pins, the oldest, stand in a message, and their stacks below it. */
    private static final int NAMED = 5;

    /** The calls on top of a stack that are not the caller's. */
    private static final Set<String> OURS = Set.of(
            PinTracker.class.getName(),
            Pin.class.getName(),
            PageView.class.getName(),
            PageGuard.class.getName(),
            WritablePage.class.getName(),
            OptimisticPage.class.getName(),
            PageFixer.class.getName(),
            PagedFile.class.getName(),
            BufferPool.class.getName());

    private final Set<Pin> open = ConcurrentHashMap.newKeySet();
    private final LongFunction<String> pageNames;

    /**
     * Makes a tracker without pins.
     *
     * @param pageNames names a page by its id
     */
    PinTracker(LongFunction<String> pageNames) {
        this.pageNames = pageNames;
    }

    /** One page that is fixed by one guard, from the fix to the unfix. */
    final class Pin {
        private final long id;
        private final long since = System.nanoTime();
        private final long threadId;
        private final String threadName;
        private final Throwable fixed = new Throwable();
        private volatile LatchMode mode;
        private volatile WeakReference<PageView> owner;
        /** Of {@code fixed}; null until somebody asks. */
        private volatile List<StackTraceElement> stack;

        private Pin(PageView guard, long id, LatchMode mode) {
            Thread thread = Thread.currentThread();
            this.id = id;
            this.threadId = thread.getId();
            this.threadName = thread.getName();
            this.mode = mode;
            this.owner = new WeakReference<>(guard);
        }

        /** The page goes to another guard, in another mode. */
        void pass(WeakReference<PageView> newOwner, LatchMode newMode) {
            owner = newOwner;
            mode = newMode;
        }

        /** The page was unfixed. */
        void end() {
            open.remove(this);
        }

        private PinTrace trace(long now) {
            return new PinTrace(
                    id,
                    pageNames.apply(id),
                    mode,
                    threadId,
                    threadName,
                    Duration.ofNanos(now - since),
                    owner.refersTo(null),
                    stack());
        }

        private List<StackTraceElement> stack() {
            List<StackTraceElement> known = stack;
            if (known == null) {
                known = Arrays.stream(fixed.getStackTrace())
                        .dropWhile(call -> OURS.contains(call.getClassName()))
                        .collect(Collectors.toUnmodifiableList());
                stack = known;
            }
            return known;
        }
    }

    /**
     * Notes that the calling thread has fixed a page.
     *
     * @param guard what has the page
     * @param id the page
     * @param mode how it is latched
     * @return the note, to be ended when the page is unfixed
     */
    Pin begin(PageView guard, long id, LatchMode mode) {
        Pin pin = new Pin(guard, id, mode);
        open.add(pin);
        return pin;
    }

    /** {@return all pins, the oldest first} */
    List<PinTrace> traces() {
        List<Pin> pins = new ArrayList<>(open);
        long now = System.nanoTime(); // after all of them
        return pins.stream()
                .map(pin -> pin.trace(now))
                .sorted(Comparator.comparing(PinTrace::age).reversed())
                .toList();
    }

    /** {@return the exception for a miss that has found no frame} */
    PoolExhaustedException exhausted(String message) {
        List<PinTrace> pins = traces();
        return withStacks(pins, new PoolExhaustedException(message + inWords(pins), pins));
    }

    /** {@return the exception for a close that is refused} */
    IllegalStateException refused(String message) {
        List<PinTrace> pins = traces();
        return withStacks(pins, new IllegalStateException(message + inWords(pins)));
    }

    private static String inWords(List<PinTrace> pins) {
        return pins.stream()
                .limit(NAMED)
                .map(pin -> "\n  " + pin)
                .collect(Collectors.joining("", ". Pins: " + pins.size() + (pins.isEmpty() ? "" : ", the oldest"), ""));
    }

    /** So that who prints the exception sees the stacks. */
    private static <T extends Throwable> T withStacks(List<PinTrace> pins, T failure) {
        pins.stream().limit(NAMED).map(FixedHere::new).forEach(failure::addSuppressed);
        return failure;
    }

    /** The stack of a pin, printed under its words. */
    private static final class FixedHere extends Throwable {
        private static final long serialVersionUID = 1L;

        FixedHere(PinTrace pin) {
            super(pin.toString(), null, false, true);
            setStackTrace(pin.stackTrace().toArray(StackTraceElement[]::new));
        }
    }
}
