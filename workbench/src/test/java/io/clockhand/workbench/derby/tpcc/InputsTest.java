// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InputsTest {
    private static final int MANY = 20_000;

    private static List<NewOrder> newOrders(int warehouses) {
        Inputs inputs = inputs(warehouses);
        return Stream.generate(() -> NewOrder.drawn(inputs, 1)).limit(MANY).toList();
    }

    private static List<Payment> payments(int warehouses) {
        Inputs inputs = inputs(warehouses);
        return Stream.generate(() -> Payment.drawn(inputs, 1)).limit(MANY).toList();
    }

    private static Inputs inputs(int warehouses) {
        return new Inputs(Scale.standard(warehouses, 1), 1, 0, 1);
    }

    private static boolean isUnused(NewOrder.Line line) {
        return line.item() > 100_000;
    }

    @Test
    void oneNewOrderInAHundredNamesAnUnusedItemLastAndOneLineInAHundredIsRemote() {
        List<NewOrder> orders = newOrders(5);
        assertThat(orders)
                .filteredOn(order -> order.lines.stream().anyMatch(InputsTest::isUnused))
                .hasSizeBetween(MANY / 130, MANY / 75)
                .allMatch(order -> isUnused(order.lines.get(order.lines.size() - 1)));

        List<NewOrder.Line> lines =
                orders.stream().flatMap(order -> order.lines.stream()).toList();
        assertThat(lines).hasSizeBetween(MANY * 95 / 10, MANY * 105 / 10);
        assertThat(lines)
                .filteredOn(line -> line.supplyWarehouse() != 1)
                .hasSizeBetween(lines.size() * 8 / 1000, lines.size() * 12 / 1000);
    }

    @Test
    void withOneWarehouseNothingIsRemote() {
        assertThat(newOrders(1)).allMatch(order -> order.lines.stream().allMatch(line -> line.supplyWarehouse() == 1));
        assertThat(payments(1)).allMatch(payment -> payment.choice.warehouse() == 1);
    }

    @Test
    void paymentsAreRemoteInFifteenPercentAndByNameInSixty() {
        assertThat(payments(5))
                .filteredOn(payment -> payment.choice.warehouse() != 1)
                .hasSizeBetween(MANY * 14 / 100, MANY * 16 / 100);
        assertThat(payments(5))
                .filteredOn(payment -> payment.choice.lastName() != null)
                .hasSizeBetween(MANY * 58 / 100, MANY * 62 / 100);
    }

    @Test
    void seatsAreDealtOutWithoutOverlapAndAsManyThreadsAsWarehousesStayAtHome() {
        Scale three = Scale.standard(3, 1);
        assertThat(IntStream.range(0, 7).boxed().flatMap(thread -> Inputs.seats(three, thread, 7).stream()))
                .doesNotHaveDuplicates()
                .hasSize(30);
        assertThat(Inputs.seats(three, 2, 3)).hasSize(10).allMatch(seat -> seat.warehouse() == 3);
        assertThat(Inputs.seats(three, 1, 100)).hasSize(1);
    }
}
