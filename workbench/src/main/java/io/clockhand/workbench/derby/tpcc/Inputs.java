// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Draw.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Kind;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Draws the inputs of a terminal. */
final class Inputs {
    final Scale scale;
    final Draw draw;
    private final NonUniformConstants constants;
    private final Deck deck;
    private final List<Seat> seats;

    /** The warehouse and the district that a terminal works for. */
    record Seat(int warehouse, int district) {}

    /** Those of one of several client threads, counted from 0. */
    Inputs(Scale scale, long seed, int thread, int threads) {
        this.scale = scale;
        draw = new Draw(seed * 1_000_003 + thread);
        deck = new Deck(draw);
        seats = seats(scale, thread, threads);
        Draw ofRun = new Draw(seed);
        constants = new NonUniformConstants(
                NonUniformConstants.ofRun(scale.seed()).lastName(), ofRun.between(0, 1023), ofRun.between(0, 8191));
    }

    /**
     * The seats of one client thread.
     *
     * <p>TPC-C seats one terminal at each district of each warehouse. They are dealt out to the client threads in turn,
     * warehouses first: with fewer threads than warehouses a thread works for several warehouses, so that all data are
     * in use whatever the number of threads; with at least as many threads every thread keeps to few.
     */
    static List<Seat> seats(Scale scale, int thread, int threads) {
        List<Seat> all = new ArrayList<>();
        int seat = thread % scale.allDistricts();
        do {
            all.add(new Seat(seat % scale.warehouses() + 1, seat / scale.warehouses() + 1));
            seat += threads;
        } while (seat < scale.allDistricts());
        return all;
    }

    Transaction next() {
        Kind kind = deck.deal();
        return next(kind, seats.get(draw.between(0, seats.size() - 1)));
    }

    Transaction next(Kind kind, Seat seat) {
        return switch (kind) {
            case NEW_ORDER -> NewOrder.drawn(this, seat.warehouse());
            case PAYMENT -> Payment.drawn(this, seat.warehouse());
            case ORDER_STATUS -> new OrderStatus(choice(seat.warehouse(), district()));
            case DELIVERY -> new Delivery(seat.warehouse(), draw.between(1, 10), scale);
            case STOCK_LEVEL -> new StockLevel(seat.warehouse(), seat.district(), draw.between(10, 20));
        };
    }

    int customer() {
        return draw.nonUniform(1023, constants.customer(), 1, scale.customers());
    }

    int item() {
        return draw.nonUniform(8191, constants.item(), 1, scale.items());
    }

    int district() {
        return draw.between(1, scale.districts());
    }

    /** Any warehouse but this one; with one warehouse nothing is remote. */
    int otherWarehouse(int home) {
        if (scale.warehouses() == 1) {
            return home;
        }
        int other = draw.between(1, scale.warehouses() - 1);
        return other < home ? other : other + 1;
    }

    CustomerChoice choice(int warehouse, int district) {
        if (draw.percent(60)) {
            int name = draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
            return new CustomerChoice(warehouse, district, 0, Draw.lastName(name));
        }
        return new CustomerChoice(warehouse, district, customer(), null);
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
            List<Object[]> namesakes =
                    session.rows(toChange ? BY_NAME_TO_CHANGE : BY_NAME, warehouse, district, lastName);
            if (namesakes.isEmpty()) {
                throw new SQLException(
                        "no customer " + lastName + " in district " + district + " of warehouse " + warehouse);
            }
            return (int) namesakes.get((namesakes.size() - 1) / 2)[0];
        }
    }
}
