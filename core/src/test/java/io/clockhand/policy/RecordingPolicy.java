// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/** Records its calls, and throws if one comes without the lock. */
final class RecordingPolicy implements PrefetchablePolicy {
    final List<String> calls = new ArrayList<>();
    int hits;
    int touches;
    private final ReentrantLock lock;

    RecordingPolicy(ReentrantLock lock) {
        this.lock = lock;
    }

    private void note(String what) {
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalStateException(what + " without the lock");
        }
        calls.add(what);
    }

    @Override
    public int weightCap() {
        return 0;
    }

    @Override
    public boolean tracksAccesses() {
        return true;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        note("load " + frame);
    }

    @Override
    public void onHit(int frame) {
        note("hit " + frame);
        hits++;
    }

    @Override
    public int prefetch(int frame) {
        touches++;
        return frame;
    }

    @Override
    public void onRemove(int frame) {
        note("remove " + frame);
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        note("evict");
        return NONE;
    }

    @Override
    public void onDeclined(int frame) {
        note("declined " + frame);
    }

    @Override
    public void onClean(int frame) {
        note("clean " + frame);
    }

    @Override
    public void onCapacity(int frames) {
        note("capacity " + frames);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        note("coldest");
        return 0;
    }
}
