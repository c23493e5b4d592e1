// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.Bounds;
import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Draw.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.ResultSet;
import java.sql.SQLException;
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

        final List<Seat> all = new ArrayList<>();

        public Seats(Scale scale, int thread, int threads) {
            int seat = thread % scale.allDistricts();
            do {
                all.add(new Seat(seat % scale.warehouses() + 1, seat / scale.warehouses() + 1));
                seat += threads;
            } while (seat < scale.allDistricts());
        }

        public Seat next(Draw draw) {
            return all.get(draw.between(0, all.size() - 1));
        }
    }

    /**
     * A customer as typed at the terminal: by number, or in 60 % of the cases by last name (clauses 2.5.1.2, 2.6.1.2).
     *
     * @param lastName null if chosen by number
     */
    record CustomerChoice(int warehouse, int district, int number, String lastName) {
        private static final String BY_NAME = """
                SELECT c_id FROM customer --DERBY-PROPERTIES index=CUSTOMER_NAME
                WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?
                """;
        private static final String BY_NAME_TO_CHANGE = BY_NAME + " FOR UPDATE OF c_balance";

        static CustomerChoice drawn(Draw draw, Bounds bounds, int warehouse, int district) {
            if (draw.percent(60)) {
                return new CustomerChoice(warehouse, district, 0, Draw.lastName(bounds.lastName(draw)));
            }
            return new CustomerChoice(warehouse, district, bounds.customer(draw), null);
        }

        /**
         * The customer's number; of several with one last name the middle one by first name.
         *
         * <p>The index holds them by first name, and the query is tied to that index because Derby refuses ORDER BY
         * together with FOR UPDATE.
         */
        int find(Session session, boolean toChange) throws SQLException {
            if (lastName == null) {
                return number;
            }
            List<Integer> namesakes = new ArrayList<>();
            try (ResultSet rows =
                    session.query(toChange ? BY_NAME_TO_CHANGE : BY_NAME, warehouse, district, lastName)) {
                while (rows.next()) {
                    namesakes.add(rows.getInt(1));
                }
            }
            if (namesakes.isEmpty()) {
                throw new SQLException(
                        "no customer " + lastName + " in district " + district + " of warehouse " + warehouse);
            }
            return namesakes.get((namesakes.size() - 1) / 2);
        }
    }
}
