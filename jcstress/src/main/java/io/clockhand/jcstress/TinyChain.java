// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A chain of core's table in its smallest form: insertion by CAS in front, removal under a lock. The step that a broken
 * twin does wrong is the method that is not final.
 */
class TinyChain implements Chain {
    private final AtomicReference<Node> bucket = new AtomicReference<>();

    private static final class Node {
        final int key;
        volatile Node next;

        Node(int key) {
            this.key = key;
        }
    }

    @Override
    public final void insert(int key) {
        Node added = new Node(key);
        Node first;
        do {
            first = bucket.get();
            added.next = first;
        } while (!bucket.compareAndSet(first, added));
    }

    @Override
    public boolean remove(int key) {
        synchronized (bucket) {
            return unlink(key);
        }
    }

    @Override
    public final boolean contains(int key) {
        for (Node node = bucket.get(); node != null; node = node.next) {
            if (node.key == key) {
                return true;
            }
        }
        return false;
    }

    /** Lets whatever points to the key's entry point to the one behind it. */
    final boolean unlink(int key) {
        Node first = bucket.get();
        while (first != null && first.key == key) {
            if (bucket.compareAndSet(first, first.next)) {
                return true;
            }
            first = bucket.get();
        }
        for (Node before = first; before != null; before = before.next) {
            Node removed = before.next;
            if (removed != null && removed.key == key) {
                before.next = removed.next;
                return true;
            }
        }
        return false;
    }
}
