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
 * The pins of a pool, with thread, place and time: a concurrent set of one {@link Pin} for each guard or optimistic
 * reader that has a page.
 *
 * <p><b>Writers.</b> A thread that fixes a page adds its pin after it has acquired the page and its latch, and removes
 * it after it has released them. So a fix that fails leaves no pin, and a page that stays pinned is listed. A page is
 * pinned but not listed while it is read, or while the thread waits for its latch; it is still listed for a moment
 * after it was unfixed. All fields of a pin are final but three, which are volatile: {@code mode} and {@code owner} are
 * written by the thread that has the latch; {@code stack} is computed by the first thread that lists the pin, and two
 * that do so concurrently get equal lists. The set publishes the final fields.
 *
 * <p><b>Lost guards.</b> The set refers to the pin, and the pin refers to its guard weakly. A guard that is no longer
 * reachable is collected; its pin stays and has an empty reference, so it is listed as garbage. The page stays fixed: a
 * cleaner that unfixed it would hide the fault, and could free a page whose bytes are still in use.
 *
 * <p><b>Stacks.</b> A {@link Throwable} holds the stack in the form of the virtual machine; names and lines are
 * resolved when the pin is listed.
 *
 * <p>Thread-safe. Nothing is thread-local; the map has stripes, chosen by the pin's hash.
 */
final class PinTracker {
    /** The end of a message about pins if they are not tracked. */
    static final String HINT = "build the pool with detectLeaks(true) to learn where pages were fixed";

    /** The number of pins, the oldest, that a message names, and whose stacks it has as suppressed exceptions. */
    private static final int NAMED = 5;

    /** The calls on top of a stack that are not the caller's. */
    private static final Set<String> OURS = Set.of(
            PinTracker.class.getName(),
            Pin.class.getName(),
            PageView.class.getName(),
            PageGuard.class.getName(),
            WritablePage.class.getName(),
            SharedUpdatePage.class.getName(),
            OptimisticPage.class.getName(),
            OptimisticGroup.class.getName(),
            PageFixer.class.getName(),
            PageCreator.class.getName(),
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
        /** The stack of {@code fixed}; null until the pin is listed. */
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
     * Records that the calling thread has fixed a page.
     *
     * @param guard the guard or optimistic reader that has the page
     * @param id the page
     * @param mode how it is latched
     * @return the pin, to be ended when the page is unfixed
     */
    Pin begin(PageView guard, long id, LatchMode mode) {
        Pin pin = new Pin(guard, id, mode);
        try {
            open.add(pin);
        } catch (VirtualMachineError failure) { // no memory for the map's counter, after it has taken the pin
            open.remove(pin);
            throw failure;
        }
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

    /** {@return the exception for a close while guards are open} */
    IllegalStateException openAtClose(String message) {
        List<PinTrace> pins = traces();
        return withStacks(pins, new IllegalStateException(message + inWords(pins)));
    }

    /** {@return what the calling thread has fixed itself, to be added to a message: it may wait for itself} */
    String ownInWords() {
        long thread = Thread.currentThread().getId();
        List<PinTrace> own =
                traces().stream().filter(pin -> pin.threadId() == thread).toList();
        return own.isEmpty() ? "" : "; this thread has pages itself, which it may be waiting for" + inWords(own);
    }

    private static String inWords(List<PinTrace> pins) {
        return pins.stream()
                .limit(NAMED)
                .map(pin -> "\n  " + pin)
                .collect(Collectors.joining("", ". Pins: " + pins.size() + (pins.isEmpty() ? "" : ", the oldest"), ""));
    }

    /** Adds the stacks as suppressed exceptions, so that they are printed with the exception. */
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
