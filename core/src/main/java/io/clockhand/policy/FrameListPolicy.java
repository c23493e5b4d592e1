// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;

/** What the policies have in common that keep frames in several lists, and know the page of each frame. */
abstract class FrameListPolicy implements ReplacementPolicy, SelfChecking {
    final FrameLists lists;
    /** By frame: its page, or the last one if it is free. */
    long[] pages = {};
    /** By frame that is in no list: the list that it was in. */
    int[] cameFrom = {};

    FrameListPolicy(int lists) {
        this.lists = new FrameLists(lists);
    }

    /** Makes room for more frames; what a policy has by frame besides comes before. */
    final void ensureFrames(int frames) {
        lists.ensureFrames(frames);
        if (frames > pages.length) {
            cameFrom = Arrays.copyOf(cameFrom, frames);
            pages = Arrays.copyOf(pages, frames); // last: its length is tested, memory may run out before
        }
    }

    @Override
    public void onRemove(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            cameFrom[frame] = lists.remove(frame);
        }
    }

    @Override
    public void onClean(int frame) {
        lists.restore(frame);
    }

    @Override
    public void checkIntegrity() {
        lists.checkIntegrity();
    }
}
