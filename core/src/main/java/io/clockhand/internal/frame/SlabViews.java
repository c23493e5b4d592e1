// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Function;

/**
 * Views of a slab: the read-only one, and those as numbers in the processor's byte order, through which many numbers
 * are copied at once. A view of numbers of n bytes begins at one of the first n bytes of the slab, so n of them reach
 * every offset. Each is made when it is needed first, and kept as long as the slab, so that copying allocates nothing.
 *
 * <p>Threads that need a view at once may each make one; they are alike. A view is stored with release order and loaded
 * with acquire order, since the fields of a buffer are not final. Positions and limits stay as they are. Thread-safe.
 */
public final class SlabViews {
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    private static final VarHandle VIEW = MethodHandles.arrayElementVarHandle(Buffer[].class);

    /** The places of the views of each kind; those of numbers of n bytes take n places. */
    private static final int READ_ONLY = 0;

    private static final int SHORTS = READ_ONLY + 1;
    private static final int INTS = SHORTS + Short.BYTES;
    private static final int LONGS = INTS + Integer.BYTES;
    private static final int FLOATS = LONGS + Long.BYTES;
    private static final int DOUBLES = FLOATS + Float.BYTES;
    private static final int VIEWS = DOUBLES + Double.BYTES;

    private final ByteBuffer slab;
    private final Buffer[] views = new Buffer[VIEWS];

    SlabViews(ByteBuffer slab) {
        this.slab = slab;
    }

    /** {@return whether these are views of that slab} */
    @SuppressWarnings("ReferenceEquality") // the very slab
    boolean areOf(ByteBuffer other) {
        return slab == other;
    }

    /** {@return the slab, read-only} */
    public ByteBuffer readOnly() {
        ByteBuffer view = (ByteBuffer) VIEW.getAcquire(views, READ_ONLY);
        if (view == null) {
            view = slab.asReadOnlyBuffer();
            VIEW.setRelease(views, READ_ONLY, view);
        }
        return view;
    }

    /** {@return the view of numbers, of which one begins at an offset} */
    private Buffer view(int kind, int at, int bytes, Function<ByteBuffer, Buffer> maker) {
        int begin = at & bytes - 1;
        Buffer view = (Buffer) VIEW.getAcquire(views, kind + begin);
        if (view == null) {
            ByteBuffer rest = slab.slice(begin, slab.capacity() - begin);
            view = maker.apply(rest.order(NATIVE));
            VIEW.setRelease(views, kind + begin, view);
        }
        return view;
    }

    private ShortBuffer shorts(int at) {
        return (ShortBuffer) view(SHORTS, at, Short.BYTES, ByteBuffer::asShortBuffer);
    }

    private IntBuffer ints(int at) {
        return (IntBuffer) view(INTS, at, Integer.BYTES, ByteBuffer::asIntBuffer);
    }

    private LongBuffer longs(int at) {
        return (LongBuffer) view(LONGS, at, Long.BYTES, ByteBuffer::asLongBuffer);
    }

    private FloatBuffer floats(int at) {
        return (FloatBuffer) view(FLOATS, at, Float.BYTES, ByteBuffer::asFloatBuffer);
    }

    private DoubleBuffer doubles(int at) {
        return (DoubleBuffer) view(DOUBLES, at, Double.BYTES, ByteBuffer::asDoubleBuffer);
    }

    // --- copies to an array ------------------------------------------------------------------------------------------

    /**
     * Copies numbers to an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order
     */
    public void get(int at, short[] target, int from, int count, ByteOrder order) {
        shorts(at).get(at / Short.BYTES, target, from, count);
        if (order != NATIVE) {
            for (int i = from; i < from + count; i++) {
                target[i] = Short.reverseBytes(target[i]);
            }
        }
    }

    /**
     * Copies numbers to an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order
     */
    public void get(int at, int[] target, int from, int count, ByteOrder order) {
        ints(at).get(at / Integer.BYTES, target, from, count);
        if (order != NATIVE) {
            for (int i = from; i < from + count; i++) {
                target[i] = Integer.reverseBytes(target[i]);
            }
        }
    }

    /**
     * Copies numbers to an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order
     */
    public void get(int at, long[] target, int from, int count, ByteOrder order) {
        longs(at).get(at / Long.BYTES, target, from, count);
        if (order != NATIVE) {
            for (int i = from; i < from + count; i++) {
                target[i] = Long.reverseBytes(target[i]);
            }
        }
    }

    /**
     * Copies numbers to an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order
     */
    public void get(int at, float[] target, int from, int count, ByteOrder order) {
        floats(at).get(at / Float.BYTES, target, from, count);
        if (order != NATIVE) {
            for (int i = from; i < from + count; i++) {
                target[i] = Float.intBitsToFloat(Integer.reverseBytes(Float.floatToRawIntBits(target[i])));
            }
        }
    }

    /**
     * Copies numbers to an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order
     */
    public void get(int at, double[] target, int from, int count, ByteOrder order) {
        doubles(at).get(at / Double.BYTES, target, from, count);
        if (order != NATIVE) {
            for (int i = from; i < from + count; i++) {
                target[i] = Double.longBitsToDouble(Long.reverseBytes(Double.doubleToRawLongBits(target[i])));
            }
        }
    }

    // --- copies of an array ------------------------------------------------------------------------------------------

    /**
     * Copies numbers of an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order there
     */
    public void put(int at, short[] source, int from, int count, ByteOrder order) {
        if (order == NATIVE) {
            shorts(at).put(at / Short.BYTES, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            slab.putShort(at + i * Short.BYTES, inOrder(source[from + i], order));
        }
    }

    /**
     * Copies numbers of an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order there
     */
    public void put(int at, int[] source, int from, int count, ByteOrder order) {
        if (order == NATIVE) {
            ints(at).put(at / Integer.BYTES, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            slab.putInt(at + i * Integer.BYTES, inOrder(source[from + i], order));
        }
    }

    /**
     * Copies numbers of an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order there
     */
    public void put(int at, long[] source, int from, int count, ByteOrder order) {
        if (order == NATIVE) {
            longs(at).put(at / Long.BYTES, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            slab.putLong(at + i * Long.BYTES, inOrder(source[from + i], order));
        }
    }

    /**
     * Copies numbers of an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order there
     */
    public void put(int at, float[] source, int from, int count, ByteOrder order) {
        if (order == NATIVE) {
            floats(at).put(at / Float.BYTES, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            slab.putInt(at + i * Float.BYTES, inOrder(Float.floatToRawIntBits(source[from + i]), order));
        }
    }

    /**
     * Copies numbers of an array.
     *
     * @param at where they begin in the slab
     * @param order their byte order there
     */
    public void put(int at, double[] source, int from, int count, ByteOrder order) {
        if (order == NATIVE) {
            doubles(at).put(at / Double.BYTES, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            slab.putLong(at + i * Double.BYTES, inOrder(Double.doubleToRawLongBits(source[from + i]), order));
        }
    }

    /** {@return what must be put into the slab, which is big-endian, for a number in that order} */
    private static short inOrder(short value, ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? value : Short.reverseBytes(value);
    }

    private static int inOrder(int value, ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static long inOrder(long value, ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
