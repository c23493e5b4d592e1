// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** As {@link NaiveCaches}, for the policies with marks, counts and adaptive targets. */
final class NaiveAdaptiveCaches {
    private NaiveAdaptiveCaches() {}

    private static int oldest(Set<Integer> pages) {
        return pages.iterator().next();
    }

    /** SIEVE: the queue from the oldest page on, and the hand as a position in it. */
    static final class Sieve implements IntPredicate {
        private final int frames;
        private final List<Integer> queue = new ArrayList<>();
        private final Set<Integer> visited = new HashSet<>();
        private int hand;

        Sieve(int frames) {
            this.frames = frames;
        }

        @Override
        public boolean test(int page) {
            if (queue.contains(page)) {
                visited.add(page);
                return true;
            }
            if (queue.size() == frames) {
                while (visited.remove(queue.get(hand))) {
                    hand = (hand + 1) % frames;
                }
                queue.remove(/* index */ hand);
                hand = hand == queue.size() ? 0 : hand;
            }
            queue.add(page);
            return false;
        }
    }

    /** S3-FIFO: the queues from the oldest page on, and the counts. */
    static final class S3Fifo implements IntPredicate {
        private final int frames;
        private final Set<Integer> small = new LinkedHashSet<>();
        private final Set<Integer> main = new LinkedHashSet<>();
        private final Set<Integer> ghosts = new LinkedHashSet<>();
        private final Map<Integer, Integer> uses = new HashMap<>();

        S3Fifo(int frames) {
            this.frames = frames;
        }

        @Override
        public boolean test(int page) {
            if (uses.containsKey(page)) {
                uses.merge(page, 1, (count, one) -> Math.min(3, count + one));
                return true;
            }
            while (uses.size() == frames) {
                if (small.size() >= Math.max(1, frames / 10)) {
                    evictSmall();
                } else {
                    evictMain();
                }
            }
            (ghosts.remove(page) ? main : small).add(page);
            uses.put(page, 0);
            return false;
        }

        private void evictSmall() {
            boolean evicted = false;
            while (!evicted && !small.isEmpty()) {
                int page = oldest(small);
                small.remove(page);
                if (uses.get(page) > 1) {
                    uses.put(page, 0);
                    main.add(page);
                } else {
                    uses.remove(page);
                    ghosts.add(page);
                    if (ghosts.size() > Math.max(1, frames * 9 / 10)) {
                        ghosts.remove(oldest(ghosts));
                    }
                    evicted = true;
                }
            }
        }

        private void evictMain() {
            while (true) {
                int page = oldest(main);
                main.remove(page);
                if (uses.get(page) == 0) {
                    uses.remove(page);
                    return;
                }
                uses.merge(page, -1, Integer::sum);
                main.add(page);
            }
        }
    }

    /** ARC, case by case as in the paper's Fig. 4; lists from the least recent page on. */
    static final class Arc implements IntPredicate {
        private final int c;
        private final Set<Integer> t1 = new LinkedHashSet<>();
        private final Set<Integer> t2 = new LinkedHashSet<>();
        private final Set<Integer> b1 = new LinkedHashSet<>();
        private final Set<Integer> b2 = new LinkedHashSet<>();
        private double p;

        Arc(int frames) {
            this.c = frames;
        }

        @Override
        public boolean test(int page) {
            if (t1.remove(page) || t2.remove(page)) {
                t2.add(page);
                return true;
            }
            if (b1.contains(page)) {
                p = Math.min(c, p + Math.max(1, (double) b2.size() / b1.size()));
                replace(page);
                b1.remove(page);
                t2.add(page);
            } else if (b2.contains(page)) {
                p = Math.max(0, p - Math.max(1, (double) b1.size() / b2.size()));
                replace(page);
                b2.remove(page);
                t2.add(page);
            } else {
                miss(page);
            }
            return false;
        }

        private void miss(int page) {
            if (t1.size() + b1.size() == c) {
                if (t1.size() < c) {
                    b1.remove(oldest(b1));
                    replace(page);
                } else {
                    t1.remove(oldest(t1));
                }
            } else {
                int all = t1.size() + t2.size() + b1.size() + b2.size();
                if (all == 2 * c) {
                    b2.remove(oldest(b2));
                }
                if (all >= c) {
                    replace(page);
                }
            }
            t1.add(page);
        }

        private void replace(int page) {
            if (!t1.isEmpty() && (t1.size() > p || (b2.contains(page) && t1.size() == p))) {
                int victim = oldest(t1);
                t1.remove(victim);
                b1.add(victim);
            } else {
                int victim = oldest(t2);
                t2.remove(victim);
                b2.add(victim);
            }
        }
    }

    /** CAR, line by line as in the paper's Fig. 2; clocks from their hand on. */
    static final class Car implements IntPredicate {
        private final int c;
        private final Set<Integer> t1 = new LinkedHashSet<>();
        private final Set<Integer> t2 = new LinkedHashSet<>();
        private final Set<Integer> b1 = new LinkedHashSet<>();
        private final Set<Integer> b2 = new LinkedHashSet<>();
        private final Set<Integer> referenced = new HashSet<>();
        private double p;

        Car(int frames) {
            this.c = frames;
        }

        @Override
        public boolean test(int page) {
            if (t1.contains(page) || t2.contains(page)) {
                referenced.add(page);
                return true;
            }
            boolean ghost = b1.contains(page) || b2.contains(page);
            if (t1.size() + t2.size() == c) {
                replace();
                if (!ghost && t1.size() + b1.size() == c) {
                    b1.remove(oldest(b1));
                } else if (!ghost && t1.size() + t2.size() + b1.size() + b2.size() == 2 * c) {
                    b2.remove(oldest(b2));
                }
            }
            if (b1.contains(page)) {
                p = Math.min(p + Math.max(1, (double) b2.size() / b1.size()), c);
                b1.remove(page);
                t2.add(page);
            } else if (b2.contains(page)) {
                p = Math.max(p - Math.max(1, (double) b1.size() / b2.size()), 0);
                b2.remove(page);
                t2.add(page);
            } else {
                t1.add(page);
            }
            return false;
        }

        private void replace() {
            while (true) {
                boolean first = t1.size() >= Math.max(1, p);
                int page = oldest(first ? t1 : t2);
                (first ? t1 : t2).remove(page);
                if (!referenced.remove(page)) {
                    (first ? b1 : b2).add(page);
                    return;
                }
                t2.add(page);
            }
        }
    }

    /** CLOCK-Pro: all pages and ghosts in one list, from its head on, and the hands at the last page of their kind. */
    static final class ClockPro implements IntPredicate {
        private enum Kind {
            HOT,
            COLD,
            TESTED,
            GHOST
        }

        private final int frames;
        private final int least;
        private final int most;
        private final List<Integer> list = new ArrayList<>();
        private final Map<Integer, Kind> kinds = new HashMap<>();
        private final Set<Integer> referenced = new HashSet<>();
        private int target;

        ClockPro(int frames) {
            this.frames = frames;
            this.least = Math.max(2, frames / 100);
            this.most = Math.max(least, frames - least);
            this.target = least;
        }

        @Override
        public boolean test(int page) {
            Kind kind = kinds.get(page);
            if (kind != null && kind != Kind.GHOST) {
                referenced.add(page);
                return true;
            }
            int resident = kinds.size() - count(Kind.GHOST);
            if (resident == frames) {
                evict();
                boolean hot = kinds.containsKey(page) && promotes(page);
                toHead(page, hot ? Kind.HOT : Kind.TESTED);
            } else {
                toHead(page, frames - resident > least ? Kind.HOT : Kind.TESTED);
            }
            endTests();
            return false;
        }

        private int count(Kind kind) {
            return (int) kinds.values().stream().filter(kind::equals).count();
        }

        private int last(Set<Kind> wanted) {
            for (int i = list.size() - 1; i >= 0; i--) {
                if (wanted.contains(kinds.get(list.get(i)))) {
                    return i;
                }
            }
            return -1;
        }

        private void toHead(int page, Kind kind) {
            list.remove(/* element */ (Integer) page);
            list.add(0, page);
            kinds.put(page, kind);
            referenced.remove(page);
        }

        private void drop(int page) {
            list.remove(/* element */ (Integer) page);
            kinds.remove(page);
        }

        private void evict() {
            while (true) {
                int page = list.get(last(Set.of(Kind.COLD, Kind.TESTED)));
                boolean tested = kinds.get(page) == Kind.TESTED;
                if (referenced.contains(page)) {
                    toHead(page, tested && promotes(page) ? Kind.HOT : Kind.TESTED);
                    endTests();
                } else {
                    if (tested) {
                        if (count(Kind.GHOST) == 2 * frames) {
                            drop(list.get(last(Set.of(Kind.GHOST))));
                            adapt(-1);
                        }
                        kinds.put(page, Kind.GHOST);
                    } else {
                        drop(page);
                    }
                    return;
                }
            }
        }

        private boolean promotes(int page) {
            adapt(1);
            while (count(Kind.HOT) >= frames - target) {
                Kind kind = kinds.get(page);
                if ((kind != Kind.TESTED && kind != Kind.GHOST) || !demotes(page)) {
                    return false;
                }
            }
            return true;
        }

        private boolean demotes(int trigger) {
            boolean demoted = false;
            int hand = last(Set.of(Kind.HOT));
            while (!demoted && hand > list.indexOf(trigger)) {
                int hot = list.get(hand);
                demoted = !referenced.contains(hot);
                toHead(hot, demoted ? Kind.COLD : Kind.HOT);
                hand = last(Set.of(Kind.HOT));
            }
            endTests();
            return demoted;
        }

        private void endTests() {
            int hand = last(Set.of(Kind.HOT));
            for (int i = list.size() - 1; i > hand && hand >= 0; i--) {
                int page = list.get(i);
                if (kinds.get(page) == Kind.GHOST) {
                    drop(page);
                    adapt(-1);
                } else if (kinds.get(page) == Kind.TESTED) {
                    kinds.put(page, Kind.COLD);
                    adapt(referenced.contains(page) ? 1 : -1);
                }
            }
        }

        private void adapt(int change) {
            target = Math.max(least, Math.min(most, target + change));
        }
    }

    /** W-TinyLFU: the lists from the least recent page on; the sketch is the real one, see its own test. */
    static final class WTinyLfu implements IntPredicate {
        private final int frames;
        private final int mostInWindow;
        private final int mostProtected;
        private final Set<Integer> window = new LinkedHashSet<>();
        private final Set<Integer> probation = new LinkedHashSet<>();
        private final Set<Integer> guarded = new LinkedHashSet<>();
        private final FrequencySketch sketch = new FrequencySketch();

        WTinyLfu(int frames) {
            this.frames = frames;
            this.mostInWindow = Math.max(1, frames / 100);
            this.mostProtected = (frames - mostInWindow) * 80 / 100;
            sketch.resize(frames);
        }

        @Override
        public boolean test(int page) {
            boolean hit = window.contains(page) || probation.contains(page) || guarded.contains(page);
            if (!hit && window.size() + probation.size() + guarded.size() == frames) {
                evict();
            }
            sketch.use(page);
            if (hit && !window.contains(page)) {
                probation.remove(page);
                guarded.remove(page);
                guarded.add(page);
                if (guarded.size() > mostProtected) {
                    move(guarded, probation);
                }
            } else {
                window.remove(page);
                window.add(page);
                if (window.size() > mostInWindow) {
                    move(window, probation);
                }
            }
            return hit;
        }

        private void evict() {
            int candidate = oldest(window);
            Set<Integer> others = probation.isEmpty() ? guarded : probation;
            if (others.isEmpty() || sketch.frequency(candidate) <= sketch.frequency(oldest(others))) {
                window.remove(candidate);
            } else {
                others.remove(oldest(others));
                move(window, probation);
            }
        }

        private static void move(Set<Integer> from, Set<Integer> to) {
            int page = oldest(from);
            from.remove(page);
            to.add(page);
        }
    }

    /** Exact counts up to 15, as a sketch without collisions has them. */
    static Map<Integer, Integer> counts(int[] pages) {
        Map<Integer, Integer> counts = new LinkedHashMap<>();
        for (int page : pages) {
            counts.merge(page, 1, (count, one) -> Math.min(15, count + one));
        }
        return counts;
    }
}
