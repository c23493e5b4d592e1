// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.iapi.services.daemon.DaemonService;
import org.apache.derby.iapi.services.daemon.Serviceable;
import org.apache.derby.shared.common.error.StandardException;

/** A daemon that works only when the test lets it, in the test's thread. */
final class FakeDaemon implements DaemonService {
    final AtomicInteger failures = new AtomicInteger();
    /** Thrown instead of taking a request, unless it is null. */
    volatile RuntimeException refusal;

    private final Map<Integer, Serviceable> clients = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> onDemand = new ConcurrentHashMap<>();
    private final Queue<Integer> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();

    @Override
    public int subscribe(Serviceable newClient, boolean onDemandOnly) {
        int number = numbers.getAndIncrement();
        clients.put(number, newClient);
        onDemand.put(number, onDemandOnly);
        return number;
    }

    @Override
    public void unsubscribe(int clientNumber) {
        clients.remove(clientNumber);
    }

    @Override
    public void serviceNow(int clientNumber) {
        if (refusal != null) {
            throw refusal;
        }
        requests.add(clientNumber);
    }

    /** {@return whether there was a request; failures are counted, as Derby's daemon only reports them} */
    boolean serveOne() {
        Integer number = requests.poll();
        Serviceable client = number == null ? null : clients.get(number);
        if (client == null) {
            return number != null;
        }
        try {
            client.performWork(null);
        } catch (StandardException | RuntimeException e) {
            failures.incrementAndGet();
        }
        return true;
    }

    Collection<Serviceable> clients() {
        return clients.values();
    }

    boolean allOnDemand() {
        return onDemand.values().stream().allMatch(demand -> demand);
    }

    int requests() {
        return requests.size();
    }

    @Override
    public boolean enqueue(Serviceable newClient, boolean serviceNow) {
        throw new UnsupportedOperationException("enqueue");
    }

    @Override
    public void pause() {
        throw new UnsupportedOperationException("pause");
    }

    @Override
    public void resume() {
        throw new UnsupportedOperationException("resume");
    }

    @Override
    public void stop() {
        throw new UnsupportedOperationException("stop");
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException("clear");
    }

    @Override
    public void waitUntilQueueIsEmpty() {
        throw new UnsupportedOperationException("waitUntilQueueIsEmpty");
    }
}
