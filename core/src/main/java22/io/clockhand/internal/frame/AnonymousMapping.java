// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Anonymous memory of the operating system, with huge pages advised; the class for Java 22 and later. It has the same
 * methods as the one for Java 17.
 *
 * <p>Restricted methods are called only if native access is enabled for the module, so the JVM prints no warning. The
 * segment belongs to an automatic arena, and every slice of the segment and every buffer over it refers to the arena's
 * scope. When the scope is unreachable, the memory is unmapped. A cleaner of this class does that: the arena's own one
 * allocates before it calls an action, and forgets the action when the heap is full.
 */
final class AnonymousMapping {
    /** The size and the alignment of a huge page. */
    static final long HUGE_PAGE_BYTES = 1L << 21;

    // The constants of Linux, which are the same on all processors that HotSpot supports.
    private static final int READ_AND_WRITE = 1 | 2; // PROT_READ, PROT_WRITE
    private static final int PRIVATE_ANONYMOUS = 2 | 0x20; // MAP_PRIVATE, MAP_ANONYMOUS
    private static final int DONTNEED = 4; // MADV_DONTNEED
    private static final int HUGEPAGE = 14; // MADV_HUGEPAGE
    private static final long FAILED = -1;

    private final MemorySegment memory;
    private final SystemCalls calls;

    private AnonymousMapping(MemorySegment memory, SystemCalls calls) {
        this.memory = memory;
        this.calls = calls;
    }

    /** {@return the reason why there is no such memory in this JVM; null if there may be} */
    static String obstacle() {
        Module module = AnonymousMapping.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            return "native access is not enabled (--enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED") + ")";
        }
        if (!System.getProperty("os.name").equals("Linux")) {
            return "huge pages are advised on Linux only";
        }
        return SystemCalls.linked() == null ? "the JVM cannot link mmap and madvise" : null;
    }

    /**
     * Maps zeros at an address that is a multiple of the size of a huge page.
     *
     * @param bytes the size
     * @param onUnmap called once, when the memory was unmapped
     * @return the mapping, or null if the operating system has refused it
     */
    static AnonymousMapping tryMap(long bytes, Runnable onUnmap) {
        SystemCalls calls = SystemCalls.linked();
        long size = up(bytes, calls.pageBytes());
        Unmapping unmapping = new Unmapping(calls, onUnmap);
        AnonymousMapping mapping = null;
        try {
            if (unmapping.map(size) && calls.advise(unmapping.begin, size, HUGEPAGE) != FAILED) {
                mapping = of(unmapping);
            }
        } finally {
            if (mapping == null) { // refused, or the heap is full
                unmapping.run();
            }
        }
        return mapping;
    }

    @SuppressWarnings("restricted") // obstacle() has found native access enabled
    private static AnonymousMapping of(Unmapping unmapping) {
        MemorySegment memory = MemorySegment.ofAddress(unmapping.begin)
                .reinterpret(unmapping.end - unmapping.begin, Arena.ofAuto(), null);
        AnonymousMapping mapping = new AnonymousMapping(memory, unmapping.calls);
        unmapping.calls.cleaner().register(memory.scope(), unmapping);
        return mapping;
    }

    private static long up(long value, long multiple) {
        return (value + multiple - 1) & -multiple;
    }

    /** {@return a part of the memory, which is not unmapped while the buffer or a view of it is reachable} */
    ByteBuffer bytes(long offset, int size) {
        return memory.asSlice(offset, size).asByteBuffer();
    }

    /** Gives bytes back to the operating system; returns the number of bytes in whole pages of it. */
    long discard(long offset, long size) {
        try {
            MemorySegment part = memory.asSlice(offset, size); // checks the bounds
            long begin = up(part.address(), calls.pageBytes());
            long whole = (part.address() + size - begin) & -calls.pageBytes();
            if (whole <= 0 || calls.advise(begin, whole, DONTNEED) == FAILED) {
                return 0;
            }
            return whole;
        } finally {
            Reference.reachabilityFence(memory); // not unmapped before the call
        }
    }

    /** Unmaps memory once. Exists before the memory does, and allocates nothing. */
    private static final class Unmapping implements Runnable {
        private final SystemCalls calls;
        private final Runnable onUnmap;
        private final AtomicBoolean started = new AtomicBoolean();

        /** The bytes that are mapped; not changed any more when the cleaner has this object. */
        private long begin;

        private long end;

        private Unmapping(SystemCalls calls, Runnable onUnmap) {
            this.calls = calls;
            this.onUnmap = onUnmap;
        }

        /** Maps bytes at a multiple of the size of a huge page; returns whether the operating system has done so. */
        private boolean map(long size) {
            long mapped = calls.map(size + HUGE_PAGE_BYTES);
            if (mapped == FAILED) {
                return false;
            }
            // Bytes that a failed call may have unmapped are never unmapped again: others may have mapped them.
            end = mapped + size + HUGE_PAGE_BYTES;
            begin = up(mapped, HUGE_PAGE_BYTES);
            calls.unmap(mapped, begin - mapped);
            long rest = end;
            end = begin + size;
            calls.unmap(end, rest - end);
            return true;
        }

        @Override
        public void run() {
            if (started.compareAndSet(false, true)) {
                calls.unmap(begin, end - begin);
                onUnmap.run();
            }
        }
    }

    /** The functions of the C library. Linked only if native access is enabled. */
    private record SystemCalls(
            MethodHandle mmap, MethodHandle munmap, MethodHandle madvise, long pageBytes, Cleaner cleaner) {
        private static SystemCalls linked;

        /**
         * {@return the functions, or null if the JVM cannot call them}
         *
         * <p>No static initializer links them: after an error of the JVM, like a full heap, the next call tries again.
         */
        private static synchronized SystemCalls linked() {
            if (linked == null) {
                linked = link();
            }
            return linked;
        }

        @SuppressWarnings("restricted") // obstacle() has found native access enabled
        private static SystemCalls link() {
            if (ADDRESS.byteSize() != Long.BYTES) {
                return null; // addresses are passed as longs
            }
            try {
                Linker linker = Linker.nativeLinker();
                SymbolLookup library = linker.defaultLookup();
                MethodHandle getpagesize = linker.downcallHandle(
                        library.find("getpagesize").orElseThrow(), FunctionDescriptor.of(JAVA_INT));
                return new SystemCalls(
                        linker.downcallHandle(
                                library.find("mmap").orElseThrow(),
                                FunctionDescriptor.of(
                                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG)),
                        linker.downcallHandle(
                                library.find("munmap").orElseThrow(),
                                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG)),
                        linker.downcallHandle(
                                library.find("madvise").orElseThrow(),
                                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT)),
                        (int) getpagesize.invokeExact(),
                        Cleaner.create());
            } catch (VirtualMachineError e) {
                throw e;
            } catch (Throwable e) {
                return null; // there is no linker, it does not work, or there is no such function
            }
        }

        /** {@return the address of new memory, or FAILED} */
        private long map(long bytes) {
            return call(mmap, 0, bytes, READ_AND_WRITE);
        }

        /** {@return 0, or FAILED} */
        private long unmap(long address, long bytes) {
            return bytes == 0 ? 0 : call(munmap, address, bytes, 0);
        }

        /** {@return 0, or FAILED} */
        private long advise(long address, long bytes, int advice) {
            return call(madvise, address, bytes, advice);
        }

        /** Calls a C function, which throws errors of the JVM only. Allocates nothing. */
        @SuppressWarnings("ReferenceEquality") // the very handle
        private long call(MethodHandle function, long address, long bytes, int argument) {
            try {
                if (function == mmap) {
                    return (long) mmap.invokeExact(address, bytes, argument, PRIVATE_ANONYMOUS, -1, 0L);
                }
                if (function == munmap) {
                    return (int) munmap.invokeExact(address, bytes);
                }
                return (int) madvise.invokeExact(address, bytes, argument);
            } catch (Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }
}
