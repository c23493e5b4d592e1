// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool as the platform's MBean server shows it. */
class BufferPoolMXBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static ObjectName named(String value) throws Exception {
        return new ObjectName("io.clockhand:type=BufferPool,name=" + value);
    }

    @AfterEach
    void noBeanIsLeft() throws Exception {
        assertThat(server.queryNames(new ObjectName("io.clockhand:type=BufferPool,*"), null))
                .isEmpty();
    }

    @Test
    void poolHasNoBeanUnlessItIsAskedFor() throws Exception {
        try (BufferPool pool = small().build()) {
            assertThat(pool.frames()).isEqualTo(4);
            noBeanIsLeft();
        }
    }

    @Test
    void attributesAreThoseOfThePool() throws Exception {
        try (BufferPool pool = small().name("orders").build()) {
            ObjectName name = named("orders");
            BufferPoolMXBean bean = JMX.newMXBeanProxy(server, name, BufferPoolMXBean.class);
            assertThat(bean.isCollecting()).isFalse();
            server.setAttribute(name, new Attribute("Collecting", true));
            PagedFile file = pool.open(0, new StampedStore(10));
            pool.open(1, new StampedStore(7));
            for (int page = 0; page < 5; page++) {
                expectRight(pool, file, page);
            }
            expectRight(pool, file, 4);
            try (WritablePage pinned = pool.fixExclusive(file.id(3))) {
                assertThat(bean.getPinned()).isEqualTo(1);
                assertThat(bean.describePinned(10)).startsWith("page 3 of stamped has 1 pin, latched to write by");
                assertThat(pinned.id()).isEqualTo(file.id(3));
            }
            PoolStats stats = pool.stats();
            assertThat(bean.isCollecting()).isTrue();
            assertThat(bean.getHits()).isEqualTo(stats.hits()).isEqualTo(2);
            assertThat(bean.getMisses()).isEqualTo(stats.misses()).isEqualTo(5);
            assertThat(bean.getHitRatio()).isEqualTo(stats.hitRatio());
            assertThat(bean.getPrefetches()).isZero();
            assertThat(bean.getReads()).isEqualTo(stats.reads()).isEqualTo(5);
            assertThat(bean.getWastedReads()).isZero();
            assertThat(bean.getWastedReadRatio()).isZero();
            assertThat(bean.getFailedReads()).isZero();
            assertThat(bean.getEvictions()).isEqualTo(stats.evictions()).isEqualTo(1);
            assertThat(bean.getFramesScanned()).isEqualTo(stats.framesScanned()).isPositive();
            assertThat(bean.getVictimSearches()).isEqualTo(stats.searches()).isEqualTo(1);
            assertThat(bean.getScanLength()).isEqualTo(stats.scanLength()).isGreaterThanOrEqualTo(1);
            assertThat(bean.getFree()).isZero();
            assertThat(bean.getPeakFrames()).isEqualTo(4);
            assertThat(bean.getFrames()).isEqualTo(4);
            assertThat(bean.getPageBytes()).isEqualTo(512);
            assertThat(bean.getCapacityBytes()).isEqualTo(2048);
            assertThat(bean.getName()).isEqualTo("orders");
            assertThat(bean.getPolicy()).isEqualTo(Policies.DEFAULT);
            assertThat(bean.getHand()).isEqualTo("batched");
            assertThat(bean.getTable()).isEqualTo(Pools.table().label());
            assertThat(bean.getPageIn()).isEqualTo("coalesced");
            assertThat(bean.getFiles()).isEqualTo(Map.of("stamped", 10L, "stamped (file 1)", 7L));
            assertThat(server.getAttribute(name, "Files")).isInstanceOf(TabularData.class);
        }
    }

    @Test
    void writesAndCheckpointsAreAttributes() throws Exception {
        EventLog log = new EventLog();
        try (BufferPool pool =
                small().name("orders").log(log).tuning(t -> t.flushThreads(0)).build()) {
            BufferPoolMXBean bean = JMX.newMXBeanProxy(server, named("orders"), BufferPoolMXBean.class);
            assertThat(bean.getPagesPerBatch()).isNaN();
            assertThat(bean.getLastCheckpointMillis()).isZero();
            PagedFile file = pool.open(0, log.store("a", SmallPools.PAGE_BYTES, 4));
            for (int page = 0; page < 3; page++) {
                try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                    changed.beginUpdate();
                    changed.endUpdate(log.append());
                }
            }
            assertThat(bean.getDirty()).isEqualTo(3);
            pool.checkpoint();
            assertThat(bean.getLastCheckpointDistance()).isEqualTo(30);
            pool.checkpoint(log.end());
            WriteStats written = pool.stats().writing();
            assertThat(bean.getCheckpoints()).isEqualTo(2);
            assertThat(bean.getLastCheckpointDistance()).isZero();
            assertThat(bean.getLastCheckpointMillis())
                    .isEqualTo(written.lastCheckpointNanos() / 1e6)
                    .isPositive();
            assertThat(bean.getDirty()).isZero();
            assertThat(bean.getPagesWritten()).isEqualTo(3);
            assertThat(bean.getWrites()).isEqualTo(1);
            assertThat(bean.getBatches()).isEqualTo(1);
            assertThat(bean.getPagesPerBatch()).isEqualTo(3);
            assertThat(bean.getLogWaits()).isEqualTo(1);
            assertThat(bean.getLogWaitMillis()).isEqualTo(written.logWaitNanos() / 1e6);
            assertThat(bean.getReadStalls()).isZero();
            assertThat(bean.getFailedWrites()).isZero();
        }
    }

    @Test
    void collectingIsSwitchedOffAgain() throws Exception {
        try (BufferPool pool = small().name("orders").build()) {
            BufferPoolMXBean bean = JMX.newMXBeanProxy(server, named("orders"), BufferPoolMXBean.class);
            PagedFile file = pool.open(0, new StampedStore(10));
            bean.setCollecting(true);
            expectRight(pool, file, 1);
            bean.setCollecting(false);
            expectRight(pool, file, 2);
            assertThat(bean.getMisses()).isEqualTo(1);
        }
    }

    @Test
    void secondPoolOfANameHasABeanWithANumber() throws Exception {
        try (BufferPool pool = small().name("orders").build();
                BufferPool second = small().frames(8).name("orders").build();
                BufferPool third = small().frames(9).name("orders").build()) {
            assertThat(server.getAttribute(named("orders"), "Frames")).isEqualTo(pool.frames());
            assertThat(server.getAttribute(named("orders#2"), "Frames")).isEqualTo(second.frames());
            second.close();
            assertThat(server.isRegistered(named("orders#2"))).isFalse();
            assertThat(server.getAttribute(named("orders#3"), "Frames")).isEqualTo(third.frames());
        }
        assertThat(server.isRegistered(named("orders"))).isFalse();
    }

    /** The wait has no end but that of the test. */
    @Test
    void poolThatWasForgottenGivesItsNameBack() throws Exception {
        small().name("forgotten").build();
        while (server.isRegistered(named("forgotten"))) {
            System.gc();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void failedBuildLeavesNoBean() {
        for (BufferPoolBuilder unbuildable :
                List.of(small().policy("no such policy"), Pools.builder().capacityBytes(1), small().frames(1 << 26))) {
            assertThatThrownBy(
                            () -> unbuildable.pageBytes(65_536).name("orders").build())
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> small().name(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void poolThatCannotBeClosedYetKeepsItsBean() throws Exception {
        try (BufferPool pool = small().name("orders").build()) {
            AtomicBoolean fails = new AtomicBoolean();
            StampedStore store = new StampedStore(10);
            store.beforeWrite(page -> fails.get() ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            try (WritablePage page = pool.open(0, store).create()) {
                fails.set(true);
                page.beginUpdate();
                page.endUnloggedUpdate();
            }
            assertThatThrownBy(pool::close).isInstanceOf(IOException.class);
            assertThat(server.isRegistered(named("orders"))).isTrue();
            fails.set(false);
        }
    }

    @Test
    void beanGoesEvenIfAFileCannotBeClosedOrItWentBefore() throws Exception {
        BufferPool pool = small().name("orders").build();
        pool.open(0, new StampedStore(10) {
            @Override
            public void close() {
                throw new IllegalStateException("injected");
            }
        });
        assertThatThrownBy(pool::close).isInstanceOf(IOException.class);
        noBeanIsLeft();

        BufferPool other = small().name("orders").build();
        server.unregisterMBean(named("orders"));
        other.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b=c:d", "what?*", "say \"this\"", "two\nlines", "back\\slash,"})
    void oddNamesAreQuoted(String odd) throws Exception {
        try (BufferPool pool = small().name(odd).build()) {
            assertThat(pool.isClosed()).isFalse();
            assertThat(server.getAttribute(named(ObjectName.quote(odd)), "Name"))
                    .isEqualTo(odd);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"café", "back\\slash", "with blanks", "{1};"})
    void otherNamesAreTakenAsTheyAre(String name) throws Exception {
        try (BufferPool pool = small().name(name).build()) {
            assertThat(pool.isClosed()).isFalse();
            ObjectName bean = named(name);
            assertThat(server.getAttribute(bean, "Name")).isEqualTo(name);
        }
    }
}
