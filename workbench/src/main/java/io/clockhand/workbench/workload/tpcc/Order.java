// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.List;

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
        int number, int customer, long row, long newOrderRow, int firstEntry, long firstLineRow, List<Integer> items) {
    int lines() {
        return items.size();
    }
}
