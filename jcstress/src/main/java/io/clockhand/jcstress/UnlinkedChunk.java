// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** The chunk of page A is empty, and the hand is about to unlink it: core's table of arrays, or the copy of it. */
interface UnlinkedChunk {

    /** Maps A, which is not mapped, to a frame. */
    void map();

    /** Makes the hand visit the chunk: it is unlinked if it is empty. */
    void visit();

    /** {@return whether A is found} */
    boolean find();
}
