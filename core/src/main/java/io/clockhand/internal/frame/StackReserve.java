// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * Makes a thread whose stack is nearly used up fail before it changes anything.
 *
 * <p>A {@link StackOverflowError} may come from any call, also from one that completes a change or takes it back. Such
 * code cannot run in a handler either, since the handler has no more stack. So a thread calls {@link #check} before the
 * first change of a miss, an invalidation or a removal. Afterwards the steps of the pool, those that clean up after a
 * failure included, have enough stack. They are at most some thirty calls deep, and a call takes 100 to 200 bytes in
 * the interpreter, less in compiled code. The calls of a store, a lifecycle or a policy may need more and overflow;
 * then the pool cleans up at its own, lesser depth.
 */
public final class StackReserve {
    /** The number of frames of {@link #FRAME_BYTES} that must fit into the stack. */
    private static final int FRAMES = 4;
    /**
     * The same for a release. The fewest that check anything in compiled code: the compiler inlines the first two of
     * these calls, and then only a third one, which stays a call, makes it check.
     */
    private static final int RELEASE_FRAMES = 3;
    /** 256 variables of two words each, in the interpreter. */
    static final int FRAME_BYTES = 256 * 2 * Long.BYTES;

    private StackReserve() {}

    /**
     * Checks that enough stack is left.
     *
     * @throws StackOverflowError if not; nothing has changed
     */
    public static void check() {
        enter(FRAMES);
    }

    /**
     * Checks that enough stack is left for a release, which is at most some fifteen calls deep.
     *
     * @throws StackOverflowError if not; nothing has changed
     */
    public static void checkForRelease() {
        enter(RELEASE_FRAMES);
    }

    /**
     * Needs much stack and little time: the variables are never written. In the interpreter each call takes a frame of
     * {@link #FRAME_BYTES}. Compiled code returns to the interpreter if an assumption of the compiler fails, so a
     * compiled method checks at its entry that the frames of the interpreter would fit: those of a method, and of the
     * methods that were compiled into it. The recursion ends in a call that is not compiled into its caller, so the
     * compiler cannot leave the frames out. The check of a page of stack is one store.
     */
    @SuppressWarnings("unused")
    private static void enter(int frames) {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak, al, am, an, ao, ap;
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf, bg, bh, bi, bj, bk, bl, bm, bn, bo, bp;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ca, cb, cc, cd, ce, cf, cg, ch, ci, cj, ck, cl, cm, cn, co, cp;
        long d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, da, db, dc, dd, de, df, dg, dh, di, dj, dk, dl, dm, dn, dd0, dp;
        long e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, ea, eb, ec, ed, ee, ef, eg, eh, ei, ej, ek, el, em, en, eo, ep;
        long f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, fa, fb, fc, fd, fe, ff, fg, fh, fi, fj, fk, fl, fm, fn, fo, fp;
        long g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, ga, gb, gc, gd, ge, gf, gg, gh, gi, gj, gk, gl, gm, gn, go, gp;
        long h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, ha, hb, hc, hd, he, hf, hg, hh, hi, hj, hk, hl, hm, hn, ho, hp;
        long i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ia, ib, ic, id, ie, ig, ih, ii, ij, ik, il, im, in, io, ip, iq;
        long j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, ja, jb, jc, jd, je, jf, jg, jh, ji, jj, jk, jl;
        if (frames > 1) {
            enter(frames - 1);
        }
    }
}
