// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Makes a ring of two tokens, which is package-private, accessible to the stress tests. It holds token 0. */
public class SharedRing {
    private final TokenRing ring;

    public SharedRing() {
        this(new TokenRing(2));
    }

    SharedRing(TokenRing ring) {
        this.ring = ring;
        ring.offer(0);
    }

    static TokenRing thatIgnoresOtherTakers() {
        return new TokenRing(2) {
            @Override
            boolean take(long position) {
                super.take(position);
                return true;
            }
        };
    }

    /** {@return the token, or nothing if the ring is full} */
    public final String offer(long token) {
        return ring.offer(token) != TokenRing.NONE ? Long.toString(token) : "";
    }

    /** {@return the token that was added first, or nothing if there is none} */
    public final String poll() {
        long token = ring.poll();
        return token == TokenRing.NONE ? "" : Long.toString(token);
    }

    /** {@return whether what was added is what was taken, and is there now: each once} */
    public final String end(String added, String taken) {
        StringBuilder out = new StringBuilder(taken);
        for (String token = poll(); !token.isEmpty(); token = poll()) {
            out.append(token);
        }
        return sorted("0" + added).equals(sorted(out.toString())) ? "each once" : "in 0" + added + ", out " + out;
    }

    private static String sorted(String tokens) {
        return tokens.chars()
                .sorted()
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
