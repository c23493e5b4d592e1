// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.transactions;

import io.clockhand.workbench.tpcc.load.Draw;
import io.clockhand.workbench.tpcc.load.Scale;
import java.util.ArrayList;
import java.util.List;

/**
 * The places that one client thread works for.
 *
 * <p>TPC-C seats one terminal at each district of each warehouse. They are dealt out to the client threads in turn,
 * warehouses first: with fewer threads than warehouses a thread works for several warehouses, so that all data are
 * in use whatever the number of threads; with at least as many threads every thread keeps to few.
 */
public final class Seats {
    /** A terminal's home. */
    public record Seat(int warehouse, int district) {}

    private final List<Seat> seats = new ArrayList<>();

    public Seats(Scale scale, int thread, int threads) {
        int all = scale.allDistricts();
        int seat = thread % all;
        do {
            seats.add(new Seat(seat % scale.warehouses() + 1, seat / scale.warehouses() + 1));
            seat += threads;
        } while (seat < all);
    }

    public Seat next(Draw draw) {
        return seats.get(draw.between(0, seats.size() - 1));
    }

    List<Seat> all() {
        return List.copyOf(seats);
    }
}
