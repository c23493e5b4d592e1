// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.util.ArrayList;
import java.util.List;

/** Draws the inputs of a terminal. */
public final class Inputs {
    private final Draw draw;
    private final Bounds bounds;

    public Inputs(Draw draw, Bounds bounds) {
        this.draw = draw;
        this.bounds = bounds;
    }

    public Transaction next(Kind kind, Seats.Seat seat) {
        return switch (kind) {
            case NEW_ORDER -> NewOrder.drawn(draw, bounds, seat.warehouse());
            case PAYMENT -> Payment.drawn(draw, bounds, seat.warehouse());
            case ORDER_STATUS -> OrderStatus.drawn(draw, bounds, seat.warehouse());
            case DELIVERY -> Delivery.drawn(draw, bounds, seat.warehouse());
            case STOCK_LEVEL -> StockLevel.drawn(draw, seat.warehouse(), seat.district());
        };
    }

    /**
     * The ranges from which inputs are drawn: the scale, and the constants of NURand for this run.
     *
     * @param scale of the database
     * @param constants of the run, not of the load
     */
    record Bounds(Scale scale, NonUniformConstants constants) {

        public static Bounds of(Scale scale, long runSeed) {
            NonUniformConstants constants = NonUniformConstants.ofRun(scale.seed());
            Draw draw = new Draw(runSeed);
            return new Bounds(
                    scale, new NonUniformConstants(constants.lastName(), draw.between(0, 1023), draw.between(0, 8191)));
        }

        int lastName(Draw draw) {
            return draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
        }

        int customer(Draw draw) {
            return draw.nonUniform(1023, constants.customer(), 1, scale.customers());
        }

        int item(Draw draw) {
            return draw.nonUniform(8191, constants.item(), 1, scale.items());
        }

        int district(Draw draw) {
            return draw.between(1, scale.districts());
        }

        /** Any warehouse but this one; with one warehouse nothing is remote. */
        int otherWarehouse(Draw draw, int home) {
            if (scale.warehouses() == 1) {
                return home;
            }
            int other = draw.between(1, scale.warehouses() - 1);
            return other < home ? other : other + 1;
        }
    }

    /**
     * The places that one client thread works for.
     *
     * <p>TPC-C seats one terminal at each district of each warehouse. They are dealt out to the client threads in turn,
     * warehouses first: with fewer threads than warehouses a thread works for several warehouses, so that all data are
     * in use whatever the number of threads; with at least as many threads every thread keeps to few.
     */
    static final class Seats {
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
}
