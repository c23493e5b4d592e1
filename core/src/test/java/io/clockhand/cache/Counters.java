// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counters in a simulated store, with a hook at every step. Negative keys have nothing in the store. It watches over
 * the promises that the cache makes to a lifecycle, too: see {@link #violations}.
 */
class Counters implements HolderLifecycle<Integer, Counter, IOException> {
    enum Step {
        ALLOCATE,
        LOAD,
        CREATE,
        IS_DIRTY,
        CLEAN,
        CLEAR,
        /** In the published algorithm only: a victim is evicted, but not unmapped yet. */
        EVICTED,
        /** In the published algorithm only: a frame is published, but has not got the value of the one before yet. */
        CARRY
    }

    interface Hook {
        void run() throws IOException;
    }

    /** Makes {@link #create} give the holder the value that the store has. */
    static final Object AS_STORED = new Object();

    private static final int ANY = Integer.MIN_VALUE;

    /** Returned by {@link #mayCleanHere}. */
    volatile boolean mayClean = true;

    final Map<Integer, Long> store = new ConcurrentHashMap<>();
    final List<String> violations = new CopyOnWriteArrayList<>();
    private final Map<Integer, AtomicInteger> loads = new ConcurrentHashMap<>();
    private final Map<Integer, Counter> live = new ConcurrentHashMap<>();
    private final Map<Counter, Step> busy = new ConcurrentHashMap<>();
    private final Map<List<Object>, Hook> hooks = new ConcurrentHashMap<>();

    /** Runs a hook in a step of a key, before the step itself. */
    Counters on(Step step, int key, Hook hook) {
        hooks.put(List.of(step, key), hook);
        return this;
    }

    Counters onEvery(Step step, Hook hook) {
        return on(step, ANY, hook);
    }

    void off(Step step, int key) {
        hooks.remove(List.of(step, key));
    }

    int loads(int key) {
        return loads.getOrDefault(key, new AtomicInteger()).get();
    }

    long stored(int key) {
        return store.getOrDefault(key, 0L);
    }

    @Override
    public Counter allocate() {
        return new Counter();
    }

    @Override
    public boolean mayCleanHere() {
        return mayClean;
    }

    @Override
    public Counter load(Counter holder, Integer key) throws IOException {
        begin(holder, Step.LOAD);
        try {
            expectBlank(holder, "load");
            enter(key, holder);
            run(Step.LOAD, key);
            loads.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
            if (key < 0) {
                return null;
            }
            holder.key = key;
            holder.value = stored(key);
            return holder;
        } finally {
            end(holder);
        }
    }

    @Override
    public Counter create(Counter holder, Integer key, Object parameter) throws IOException {
        begin(holder, Step.CREATE);
        try {
            expectBlank(holder, "create");
            enter(key, holder);
            run(Step.CREATE, key);
            if (parameter == null) {
                return null;
            }
            holder.key = key;
            holder.set(AS_STORED.equals(parameter) ? stored(key) : (Long) parameter);
            return holder;
        } finally {
            end(holder);
        }
    }

    /** Half the keys have a number of their own, so that both ways of finding are tested. */
    @Override
    public long idOf(Integer key) {
        return key >= 0 && key % 2 == 0 ? key : key.hashCode() | Long.MIN_VALUE;
    }

    @Override
    public Integer keyOf(Counter holder) {
        return holder.key;
    }

    @Override
    public boolean isDirty(Counter holder) {
        if (holder == null) {
            violations.add("isDirty of nothing");
        }
        if (holder.key == null) {
            violations.add("isDirty of an empty holder");
            return false;
        }
        runUnchecked(Step.IS_DIRTY, holder.key);
        return holder.dirty;
    }

    @Override
    public void clean(Counter holder, boolean removing) throws IOException {
        begin(holder, Step.CLEAN);
        try {
            run(Step.CLEAN, holder.key);
            // as engines do: a change that comes while the write is under way makes it dirty again
            holder.dirty = false;
            store.put(holder.key, holder.value);
        } finally {
            end(holder);
        }
    }

    @Override
    public void clear(Counter holder) {
        begin(holder, Step.CLEAR);
        try {
            if (holder.key != null) {
                runUnchecked(Step.CLEAR, holder.key);
            }
        } finally {
            live.values().remove(holder);
            holder.key = null;
            holder.value = -1;
            holder.dirty = false;
            end(holder);
        }
    }

    /** From here to its clear it is the only holder of the key. */
    private void enter(Integer key, Counter holder) {
        Counter other = live.putIfAbsent(key, holder);
        if (other != null) {
            violations.add("two holders for key " + key + ", one of them " + other);
        }
    }

    private void expectBlank(Counter holder, String step) {
        if (holder.key != null) {
            violations.add(step + " into a holder that was not cleared: " + holder);
        }
    }

    private void begin(Counter holder, Step step) {
        Step other = busy.putIfAbsent(holder, step);
        if (other != null) {
            violations.add(step + " during " + other + " of " + holder);
        }
    }

    private void end(Counter holder) {
        busy.remove(holder);
    }

    void runUnchecked(Step step, int key) {
        try {
            run(step, key);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void run(Step step, int key) throws IOException {
        if (hooks.isEmpty()) {
            return;
        }
        for (int of : new int[] {key, ANY}) {
            Hook hook = hooks.get(List.of(step, of));
            if (hook != null) {
                hook.run();
            }
        }
    }
}
