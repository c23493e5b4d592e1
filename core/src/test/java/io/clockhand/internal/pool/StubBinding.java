// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/** A content that arrives at once; tests override the step that is to go wrong. */
class StubBinding implements FrameBinding<RuntimeException> {
    @Override
    public void bind(int frame) {}

    @Override
    public boolean map(int frame) {
        return true;
    }

    @Override
    public boolean load(int frame) {
        return true;
    }

    @Override
    public void unmap(int frame) {}
}
