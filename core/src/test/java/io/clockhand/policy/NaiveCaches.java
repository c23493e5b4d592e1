// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Caches of pages that answer whether a page was resident, each written after the definition of its policy, without
 * regard to speed.
 */
final class NaiveCaches {
    private NaiveCaches() {}

    /** GCLOCK, word for word: fetch gives weight 1, a hit one more, the hand takes one off and stops at 0. */
    static final class Gclock implements IntPredicate {
        private final int[] pages;
        private final int[] weights;
        private final int most;
        private final Map<Integer, Integer> frameOf = new HashMap<>();
        private int hand;

        Gclock(int frames, int most) {
            this.pages = new int[frames];
            this.weights = new int[frames];
            this.most = most;
        }

        @Override
        public boolean test(int page) {
            Integer frame = frameOf.get(page);
            if (frame != null) {
                weights[frame] = Math.min(weights[frame] + 1, most);
                return true;
            }
            if (frameOf.size() == pages.length) {
                while (--weights[hand] > 0) {
                    hand = (hand + 1) % pages.length;
                }
                frameOf.remove(pages[hand]);
            }
            pages[hand] = page;
            weights[hand] = 1;
            frameOf.put(page, hand);
            hand = (hand + 1) % pages.length;
            return false;
        }
    }

    /** Least recently used, by the JDK. */
    static final class JdkLru implements IntPredicate {
        private final Map<Integer, Boolean> pages;

        JdkLru(int frames) {
            pages = new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
                    return size() > frames;
                }
            };
        }

        @Override
        public boolean test(int page) {
            return pages.put(page, true) != null;
        }
    }

    /**
     * The full 2Q, word for word: a FIFO queue of a quarter of the frames, half as many ghosts as frames, and an LRU
     * list for the ghosts that return.
     */
    static final class Full2Q implements IntPredicate {
        private final int frames;
        private final Deque<Integer> in = new ArrayDeque<>();
        private final Set<Integer> out = new LinkedHashSet<>();
        private final Set<Integer> main = new LinkedHashSet<>();

        Full2Q(int frames) {
            this.frames = frames;
        }

        @Override
        public boolean test(int page) {
            if (main.remove(page)) {
                main.add(page);
                return true;
            }
            if (in.contains(page)) {
                return true;
            }
            boolean again = out.remove(page);
            if (in.size() + main.size() == frames) {
                reclaim();
            }
            if (again) {
                main.add(page);
            } else {
                in.add(page);
            }
            return false;
        }

        private void reclaim() {
            if (in.size() > Math.max(1, frames / 4) || main.isEmpty()) {
                out.add(in.remove());
                if (out.size() > Math.max(1, frames / 2)) {
                    out.remove(out.iterator().next());
                }
            } else {
                main.remove(main.iterator().next());
            }
        }
    }

    /** First in, first out. */
    static final class Fifo implements IntPredicate {
        private final int frames;
        private final Set<Integer> pages = new LinkedHashSet<>();

        Fifo(int frames) {
            this.frames = frames;
        }

        @Override
        public boolean test(int page) {
            if (pages.contains(page)) {
                return true;
            }
            if (pages.size() == frames) {
                pages.remove(pages.iterator().next());
            }
            pages.add(page);
            return false;
        }
    }

    /** LIRS: S from its bottom to its top, Q from the oldest on. */
    static final class Lirs implements IntPredicate {
        private final int frames;
        private final int mostLir;
        private final Deque<Integer> s = new ArrayDeque<>();
        private final Deque<Integer> q = new ArrayDeque<>();
        private final Set<Integer> lir = new HashSet<>();
        private final Set<Integer> resident = new HashSet<>();
        private final Deque<Integer> left = new ArrayDeque<>();

        Lirs(int frames) {
            this.frames = frames;
            this.mostLir = Math.max(1, Math.min(frames - 1, (int) Math.floor(0.99 * frames)));
        }

        @Override
        public boolean test(int page) {
            if (resident.contains(page)) {
                hit(page);
                return true;
            }
            if (resident.size() == frames) {
                evict();
            }
            boolean inS = s.remove(page);
            left.remove(page);
            while (left.size() > 2 * frames) {
                s.remove(left.removeFirst());
            }
            s.addLast(page);
            resident.add(page);
            if (inS || lir.size() < mostLir) {
                lir.add(page);
                demote();
            } else {
                q.addLast(page);
            }
            return false;
        }

        private void hit(int page) {
            boolean top = s.peekLast() == page;
            boolean inS = s.remove(page);
            s.addLast(page);
            if (lir.contains(page)) {
                prune();
            } else {
                q.remove(page);
                if (inS && !top) {
                    lir.add(page);
                    demote();
                } else {
                    q.addLast(page);
                }
            }
        }

        private void evict() {
            int victim = q.isEmpty() ? s.peekFirst() : q.removeFirst();
            resident.remove(victim);
            lir.remove(victim);
            if (s.contains(victim)) {
                left.add(victim);
            }
            prune();
        }

        private void demote() {
            if (lir.size() > mostLir) {
                int bottom = s.removeFirst();
                lir.remove(bottom);
                q.addLast(bottom);
                prune();
            }
        }

        private void prune() {
            while (!s.isEmpty() && !lir.contains(s.peekFirst())) {
                left.remove(s.removeFirst());
            }
        }
    }

    /** MQ: the queues, and Qout with the counts, from the least recent on. */
    static final class Mq implements IntPredicate {
        private final int frames;
        private final List<Set<Integer>> queues = new ArrayList<>();
        private final Map<Integer, Integer> uses = new HashMap<>();
        private final Map<Integer, Integer> expires = new HashMap<>();
        private final Map<Integer, Integer> out = new LinkedHashMap<>();
        private int now;

        Mq(int frames) {
            this.frames = frames;
            for (int i = 0; i < 8; i++) {
                queues.add(new LinkedHashSet<>());
            }
        }

        @Override
        public boolean test(int page) {
            boolean hit = uses.containsKey(page);
            if (hit) {
                queues.forEach(queue -> queue.remove(page));
            } else {
                Integer before = out.remove(page);
                if (uses.size() == frames) {
                    evict();
                }
                uses.put(page, before == null ? 0 : before);
            }
            int count = uses.merge(page, 1, Integer::sum);
            queues.get(Math.min(7, (int) (Math.log(count) / Math.log(2) + 1e-9)))
                    .add(page);
            expires.put(page, now + frames);
            now++;
            for (int k = 1; k < 8; k++) {
                if (!queues.get(k).isEmpty()) {
                    int oldest = queues.get(k).iterator().next();
                    if (expires.get(oldest) < now) {
                        queues.get(k).remove(oldest);
                        queues.get(k - 1).add(oldest);
                        expires.put(oldest, now + frames);
                    }
                }
            }
            return hit;
        }

        private void evict() {
            for (Set<Integer> queue : queues) {
                if (!queue.isEmpty()) {
                    int victim = queue.iterator().next();
                    queue.remove(victim);
                    out.put(victim, uses.remove(victim));
                    if (out.size() > Math.max(1, frames / 2)) {
                        out.remove(out.keySet().iterator().next());
                    }
                    return;
                }
            }
        }
    }
}
