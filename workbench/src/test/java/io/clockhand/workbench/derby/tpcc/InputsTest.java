// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.derby.tpcc.Inputs.CustomerChoice;
import io.clockhand.workbench.derby.tpcc.Inputs.Seats;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InputsTest {
    private static final int MANY = 20_000;
    private final Draw draw = new Draw(11);

    private List<NewOrder> newOrders(int warehouses) {
        Bounds bounds = Bounds.of(Scale.standard(warehouses, 1), 1);
        return IntStream.range(0, MANY)
                .mapToObj(i -> NewOrder.drawn(draw, bounds, 1))
                .toList();
    }

    @Test
    void oneNewOrderInAHundredNamesAnUnusedItemLast() {
        List<NewOrder> rolledBack = newOrders(5).stream()
                .filter(order -> order.lines.stream().anyMatch(line -> line.item() > 100_000))
                .toList();

        assertThat(rolledBack).hasSizeBetween(MANY / 130, MANY / 75);
        assertThat(rolledBack)
                .allMatch(order -> order.lines.get(order.lines.size() - 1).item() > 100_000);
    }

    @Test
    void oneLineInAHundredIsRemote() {
        List<NewOrder.Line> lines =
                newOrders(5).stream().flatMap(order -> order.lines.stream()).toList();
        long remote = lines.stream().filter(line -> line.supplyWarehouse() != 1).count();

        assertThat(lines.size()).isBetween(MANY * 95 / 10, MANY * 105 / 10);
        assertThat((double) remote / lines.size()).isBetween(0.008, 0.012);
    }

    @Test
    void withOneWarehouseNothingIsRemote() {
        Bounds bounds = Bounds.of(Scale.standard(1, 1), 1);

        assertThat(newOrders(1)).allMatch(order -> order.lines.stream().allMatch(line -> line.supplyWarehouse() == 1));
        for (int i = 0; i < 1000; i++) {
            assertThat(Payment.drawn(draw, bounds, 1).choice.warehouse()).isEqualTo(1);
        }
    }

    @Test
    void paymentsAreRemoteInFifteenPercentAndByNameInSixty() {
        Bounds bounds = Bounds.of(Scale.standard(5, 1), 1);
        List<CustomerChoice> choices = IntStream.range(0, MANY)
                .mapToObj(i -> Payment.drawn(draw, bounds, 3).choice)
                .toList();

        assertThat(choices.stream().filter(choice -> choice.warehouse() != 3).count())
                .isBetween(MANY * 14L / 100, MANY * 16L / 100);
        assertThat(choices.stream().filter(choice -> choice.lastName() != null).count())
                .isBetween(MANY * 58L / 100, MANY * 62L / 100);
    }

    @Test
    void seatsAreDealtOutWithoutOverlap() {
        List<Seats.Seat> taken = IntStream.range(0, 7)
                .mapToObj(thread -> new Seats(Scale.standard(3, 1), thread, 7).all)
                .flatMap(List::stream)
                .toList();

        assertThat(taken).doesNotHaveDuplicates().hasSize(30);
        assertThat(new Seats(Scale.standard(4, 1), 0, 1).all).hasSize(40);
    }

    @Test
    void asManyThreadsAsWarehousesStayAtHome() {
        Scale scale = Scale.standard(4, 1);

        assertThat(new Seats(scale, 2, 4).all).allMatch(seat -> seat.warehouse() == 3);
        assertThat(new Seats(scale, 1, 100).all).hasSize(1);
    }
}
