// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The orders of a district: those of the load, which are drawn when they are asked for, and those that came later. */
final class Orders {
    static final int FEWEST_LINES = 5;
    static final int MOST_LINES = 15;

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final Scale scale;
    private final long district;
    /** By number of a loaded order: its customer. */
    private final int[] customers;
    /** By customer: the last order. */
    private final int[] last;
    /**
     * By number of a loaded order: where its lines begin among those of the district; and where the next order's would.
     */
    private final int[] firstEntries;

    private final List<Order> later = new ArrayList<>();
    private int undelivered;
    private int entries;

    /** Those of the load; the district is one of all, counted from 0. */
    Orders(Scale scale, long district) {
        this.scale = scale;
        this.district = district;
        this.undelivered = scale.firstUndelivered() - 1;
        this.customers = new int[scale.orders()];
        this.last = new int[scale.customers()];
        this.firstEntries = new int[scale.orders() + 1];
        Arrays.setAll(customers, number -> number);
        Draw draw = generator(-1);
        for (int number = 0; number < customers.length; number++) {
            int other = draw.between(number, customers.length - 1);
            int customer = customers[other];
            customers[other] = customers[number];
            customers[number] = customer;
            last[customer] = number;
            firstEntries[number + 1] = firstEntries[number] + lines(generator(number));
        }
        this.entries = firstEntries[customers.length];
    }

    /** Of its own for each order, so that none need be kept. */
    private Draw generator(int order) {
        return new Draw(((scale.seed() * 31 + district) * GOLDEN) ^ ((order + 2) * 0xD1B5_4A32_D192_ED03L));
    }

    private static int lines(Draw draw) {
        return draw.between(FEWEST_LINES, MOST_LINES);
    }

    int count() {
        return customers.length + later.size();
    }

    /** How many lines they have, together. */
    int entries() {
        return entries;
    }

    Order get(int number) {
        return number < customers.length ? loaded(number) : later.get(number - customers.length);
    }

    private Order loaded(int number) {
        Draw draw = generator(number);
        List<Integer> items = IntStream.range(0, lines(draw))
                .mapToObj(line -> draw.between(0, scale.items() - 1))
                .toList();
        int waiting = scale.orders() - scale.firstUndelivered() + 1;
        return new Order(
                number,
                customers[number],
                district * scale.orders() + number,
                district * waiting + number - scale.firstUndelivered() + 1,
                firstEntries[number],
                district * scale.orders() * MOST_LINES + firstEntries[number],
                items);
    }

    Order lastOf(int customer) {
        return get(last[customer]);
    }

    void add(Order order) {
        later.add(order);
        last[order.customer()] = order.number();
        entries += order.items().size();
    }

    /** The oldest order that was not delivered, which is now; null if all were. */
    Order deliver() {
        return undelivered < count() ? get(undelivered++) : null;
    }

    /**
     * An order, as far as it says where its rows lie.
     *
     * @param number in its district, from 0
     * @param customer in its district, from 0
     * @param row of the order itself
     * @param newOrderRow where it waits for its delivery, or waited
     * @param firstEntry of its lines, among those of its district
     * @param firstLineRow of its lines, which lie one behind the other
     * @param items of its lines, from 0
     */
    record Order(
            int number,
            int customer,
            long row,
            long newOrderRow,
            int firstEntry,
            long firstLineRow,
            List<Integer> items) {}
}
