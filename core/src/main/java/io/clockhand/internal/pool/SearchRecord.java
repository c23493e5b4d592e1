// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.VictimSearchEvent;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.policy.Claims;

/** What a recording gets to know of one search for a victim: counts the frames on their way to the policy. Used by one thread. */
final class SearchRecord implements Claims {
    private final Claims claims;
    /** Null if those are not recorded. */
    private final VictimSearchEvent event;
    /** From the first wait for a frame; null before, and if those are not recorded. */
    private WaitEvent wait;

    private long framesScanned;
    private int declined;
    private int waits;
    private boolean exhausted;

    private SearchRecord(Claims claims, VictimSearchEvent event) {
        this.claims = claims;
        this.event = event;
    }

    /** {@return a record of a search that begins, or null if nobody wants one} */
    static SearchRecord begun(Claims claims) {
        VictimSearchEvent event = FlightEvents.victimSearch();
        return event != null || FlightEvents.areWaitsRecorded() ? new SearchRecord(claims, event) : null;
    }

    @Override
    public Outcome ageOrClaim(int frame) {
        framesScanned++;
        return claims.ageOrClaim(frame);
    }

    @Override
    public boolean tryClaim(int frame) {
        framesScanned++;
        return claims.tryClaim(frame);
    }

    void declined() {
        declined++;
    }

    /** No frame is to be had, and the thread will sleep before it looks again. */
    void waits() {
        if (waits++ == 0) {
            wait = FlightEvents.waiting();
        }
    }

    void exhausted() {
        exhausted = true;
    }

    void end(String pool, int frames) {
        if (wait != null && wait.isWanted()) {
            wait.record(pool, "a frame", null, exhausted);
        }
        if (event != null && framesScanned + waits > 0 && event.isWanted()) {
            event.record(pool, frames, framesScanned, declined, waits, exhausted);
        }
    }
}
