// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * An MXBean in the platform's server, until {@link #close}. The server holds a reference to the bean, and so to what
 * the bean refers to. Thread-safe.
 */
public final class ManagementBean implements AutoCloseable {
    /** Characters for which a value must be quoted. */
    private static final Pattern ODD = Pattern.compile("[,=:\"*?\n]");

    private final ObjectName name;

    private ManagementBean(ObjectName name) {
        this.name = name;
    }

    /**
     * Registers a bean as {@code io.clockhand:type=TYPE,name=NAME}; if there is one of this name, with a number behind
     * it, {@code NAME#2} and so on.
     *
     * @param type the kind of bean
     * @param name its name, which is quoted if necessary
     * @param bean the bean
     * @param face its public interface
     * @param <T> the type of that interface
     * @return the registered bean, to be closed
     */
    public static <T> ManagementBean register(String type, String name, T bean, Class<T> face) {
        for (int number = 1; ; number++) {
            String own = number == 1 ? name : name + "#" + number;
            String value = ODD.matcher(own).find() ? ObjectName.quote(own) : own;
            String full = "io.clockhand:type=" + type + ",name=" + value;
            try {
                ObjectName registered = new ObjectName(full);
                ManagementFactory.getPlatformMBeanServer()
                        .registerMBean(new StandardMBean(bean, face, true), registered);
                return new ManagementBean(registered);
            } catch (InstanceAlreadyExistsException e) {
                // the next number
            } catch (JMException e) {
                throw new IllegalStateException(
                        "the management bean " + full + " cannot be registered: " + e.getMessage(), e);
            }
        }
    }

    /** Unregisters the bean, unless that was done already. */
    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // another thread was first
        } catch (JMException e) {
            throw new IllegalStateException(
                    "the management bean " + name + " cannot be unregistered: " + e.getMessage(), e);
        }
    }
}
