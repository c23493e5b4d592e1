// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Clockhand's management bean on a cache whose every find is known. */
class FiguresTest extends ManagerTest {
    private final FakeDaemon daemon = new FakeDaemon();

    @Test
    void everyFindIsCountedWhileCollectingAndNoneElse() throws Exception {
        ClockhandCacheManager cache = cache(3);
        HolderCacheMXBean bean = new HolderCacheBean(cache);
        touch(cache, 1);
        touch(cache, 1);
        bean.setCollectAccessCounts(true);
        for (int i = 0; i < 10; i++) {
            touch(cache, 1);
        }
        touch(cache, 2);
        cache.release(cache.findCached(2));
        assertThat(cache.findCached(99)).isNull();
        bean.setCollectAccessCounts(false);
        touch(cache, 1);
        touch(cache, 3);
        touch(cache, 4);

        assertThat(bean.getHits()).as("hits").isEqualTo(11);
        assertThat(bean.getMisses()).isEqualTo(2);
        assertThat(bean.getEvictions()).isZero();
        assertThat(bean.getFramesScanned()).isZero();
        assertThat(bean.getCapacity()).isEqualTo(3);
        assertThat(bean.getFrames()).isEqualTo(3);
        assertThat(bean.getResident()).isEqualTo(3);
        assertThat(bean.getMaxResident()).isEqualTo(3);
        assertThat(bean.getPinned()).isZero();
    }

    @Test
    void aDirtyVictimIsCountedOnItsWayThroughTheQueue() throws Exception {
        ClockhandCacheManager cache = cache(3);
        HolderCacheMXBean bean = new HolderCacheBean(cache);
        bean.setCollectAccessCounts(true);
        cache.useDaemonService(daemon);
        soil(cache, 1);
        touch(cache, 2);
        FakeObjects.FakeObject kept = find(cache, 3);
        assertThat(bean.getPinned()).isEqualTo(1);

        touch(cache, 4); // past 1, which is dirty, to 2
        assertThat(bean.getFramesScanned()).isEqualTo(2);
        assertThat(bean.getDirtyVictims()).isEqualTo(1);
        assertThat(bean.getEvictions()).isEqualTo(1);
        assertThat(bean.getQueuedForCleaning()).isEqualTo(1);
        assertThat(bean.getBackgroundCleans()).isZero();

        daemon.serveOne();
        assertThat(bean.getQueuedForCleaning()).isZero();
        assertThat(bean.getBackgroundCleans()).isEqualTo(1);
        assertThat(bean.getForegroundCleans()).isZero();
        cache.release(kept);
    }

    @Test
    void aVictimThatTheFindWritesBackIsCountedThere() throws Exception {
        ClockhandCacheManager cache = cache(1);
        HolderCacheMXBean bean = new HolderCacheBean(cache);
        bean.setCollectAccessCounts(true);
        soil(cache, 1);
        touch(cache, 2);
        assertThat(bean.getForegroundCleans()).isEqualTo(1);
        assertThat(bean.getBackgroundCleans()).isZero();
        assertThat(bean.getDirtyVictims()).isZero();
        assertThat(bean.getEvictions()).isEqualTo(1);
    }
}
