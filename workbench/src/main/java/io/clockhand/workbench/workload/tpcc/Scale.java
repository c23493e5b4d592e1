// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

/**
 * How many rows the database starts with (TPC-C rev. 5.11, clause 1.2.1 and 4.3.3).
 *
 * <p>Only {@link #standard} is TPC-C; smaller scales keep every rule of the population, in proportion, and exist for
 * tests.
 *
 * @param warehouses the scale factor W
 * @param districts per warehouse
 * @param customers per district
 * @param items in the catalogue, and stock rows per warehouse
 * @param seed of everything drawn while loading
 */
public record Scale(int warehouses, int districts, int customers, int items, long seed) {

    public static Scale standard(int warehouses, long seed) {
        return new Scale(warehouses, 10, 3000, 100_000, seed);
    }

    @Override
    public String toString() {
        return warehouses + (warehouses == 1 ? " warehouse" : " warehouses");
    }

    /** Orders per district after the load: one per customer. */
    public int orders() {
        return customers;
    }

    /** The orders before this one are loaded as delivered: 2,100 of 3,000. */
    public int firstUndelivered() {
        return orders() * 7 / 10 + 1;
    }

    /** Last names in use: a thousand, unless there are fewer customers than that. */
    public int lastNames() {
        return Math.min(1000, customers);
    }

    public int allDistricts() {
        return warehouses * districts;
    }

    /** One word, for the SQL functions that carry a scale through Derby; {@link #parse} reads it. */
    public String asText() {
        return warehouses + "/" + districts + "/" + customers + "/" + items + "/" + seed;
    }

    public static Scale parse(String text) {
        String[] part = text.split("/", -1);
        return new Scale(
                Integer.parseInt(part[0]),
                Integer.parseInt(part[1]),
                Integer.parseInt(part[2]),
                Integer.parseInt(part[3]),
                Long.parseLong(part[4]));
    }
}
