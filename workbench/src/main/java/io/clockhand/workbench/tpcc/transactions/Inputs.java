// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.transactions;

import io.clockhand.workbench.tpcc.load.Draw;

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
}
