// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Pools;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.IntegrityChecks;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A page pool whose file lies on a simulated disk. */
class PoolOnSimulatedDiskTest {
    private static final int PAGE_BYTES = 4096;

    @RegisterExtension
    final IntegrityChecks checks = new IntegrityChecks();

    private final SimulatedDisk disk = new SimulatedDisk(1);

    private PagedFile open(BufferPool pool) throws IOException {
        return pool.open(0, disk.pages("orders", PAGE_BYTES));
    }

    private BufferPool pool() {
        return checks.watch(Pools.builder().pageBytes(PAGE_BYTES).frames(10).build());
    }

    @Test
    void poolReadsPagesWhenTheCauseOfTheFaultsIsGone() throws IOException {
        BufferPool pool = pool();
        PagedFile orders = open(pool);
        for (int page = 0; page < 30; page++) {
            orders.create().close();
        }
        disk.faults().add(FaultRule.of(DiskFault.READ_ERROR).in("orders"));
        assertThatThrownBy(() -> pool.fix(orders.id(3)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 3 of orders")
                .hasMessageContaining("READ_ERROR injected by the simulated disk with seed 1");
        disk.faults().clear();
        pool.fix(orders.id(3)).close();
        assertThat(disk.faults().count(DiskFault.READ_ERROR)).isEqualTo(1);
    }

    @Test
    void poolCreatesNoPageOnADiskThatIsFullUntilThereIsSpace() throws IOException {
        disk.setCapacityBytes(0);
        BufferPool pool = pool();
        PagedFile orders = open(pool);
        assertThatThrownBy(orders::create)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
        assertThat(orders.pages()).isZero();
        disk.setCapacityBytes(Long.MAX_VALUE);
        orders.create().close();
        assertThat(orders.pages()).isEqualTo(1);
    }

    @Test
    void interruptedThreadGetsItsPageAndStaysInterrupted() throws IOException {
        BufferPool pool = pool();
        PagedFile orders = open(pool);
        for (int page = 0; page < 30; page++) {
            orders.create().close();
        }
        disk.faults().add(FaultRule.of(DiskFault.INTERRUPT).on(Operation.READ));
        pool.fix(orders.id(2)).close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void pagesThatWereForcedAreThereForThePoolAfterACrash() throws IOException {
        BufferPool before = Pools.builder().pageBytes(PAGE_BYTES).frames(10).build();
        PagedFile orders = open(before);
        orders.create().close();
        disk.pages("orders", PAGE_BYTES).force(); // by another handle of the file
        disk.crash();
        assertThatThrownBy(orders::force).isInstanceOf(DiskCrashedException.class);
        closeAfterACrash(before);

        assertThat(open(pool()).pages()).isPositive();
    }

    /** Whether the close fails depends on what is left to do for the file. */
    private static void closeAfterACrash(BufferPool pool) throws IOException {
        try {
            pool.closeWithoutWriting();
        } catch (DiskCrashedException e) {
            // the file is closed nevertheless
        }
    }
}
