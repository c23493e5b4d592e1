// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Derby engine in a class loader of its own, with its own {@code derby.properties}, so that one JVM can run Derby with
 * its own cache and with Clockhand one after the other. Close it before another is booted: the home of an engine is a
 * property of the JVM.
 */
final class DerbyHost implements AutoCloseable {
    private static final String LOG = "derby.stream.error.file";

    private final Path home;
    private final URLClassLoader loader;
    private final Driver driver;
    private final String logBefore;

    private DerbyHost(Path home, Map<String, String> properties) throws Exception {
        this.home = home;
        Files.createDirectories(home);
        Properties file = new Properties();
        file.putAll(properties);
        try (var out = Files.newOutputStream(home.resolve("derby.properties"))) {
            file.store(out, null);
        }
        System.setProperty("derby.system.home", home.toString());
        logBefore = System.getProperty(LOG);
        System.setProperty(LOG, home.resolve("derby.log").toString());
        loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
        driver = (Driver) loader.loadClass("org.apache.derby.jdbc.EmbeddedDriver")
                .getConstructor()
                .newInstance();
    }

    /** {@return an empty folder below {@code target}} */
    static Path freshHome(String name) throws IOException {
        Path home = Path.of("target", "derby-homes", name).toAbsolutePath();
        delete(home);
        return Files.createDirectories(home);
    }

    static DerbyHost stock(Path home, String... properties) throws Exception {
        return new DerbyHost(home, map(properties));
    }

    static DerbyHost clockhand(Path home, String... properties) throws Exception {
        Map<String, String> all = map(properties);
        all.put("derby.module.clockhand", ClockhandCacheFactory.class.getName());
        return new DerbyHost(home, all);
    }

    private static Map<String, String> map(String... properties) {
        Map<String, String> map = new TreeMap<>();
        map.put("derby.storage.pageCacheSize", "40");
        map.put("derby.locks.deadlockTimeout", "1");
        map.put("derby.locks.waitTimeout", "5");
        map.put("derby.system.durability", "test");
        map.put("derby.infolog.append", "true");
        for (int i = 0; i < properties.length; i += 2) {
            map.put(properties[i], properties[i + 1]);
        }
        return map;
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    Connection connect(String database) throws SQLException {
        return driver.connect("jdbc:derby:" + database, new Properties());
    }

    Connection create(String database) throws SQLException {
        int end = database.indexOf(';');
        return end < 0
                ? connect(database + ";create=true")
                : connect(database.substring(0, end) + ";create=true" + database.substring(end));
    }

    void shutdown(String database) throws SQLException {
        expectShutdown(database + ";shutdown=true", "08006");
    }

    private void expectShutdown(String url, String state) throws SQLException {
        try {
            connect(url).close();
            throw new SQLException("did not shut down: " + url);
        } catch (SQLException e) {
            if (!state.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /** {@return what {@link ClockhandDerby#inForce} says in this engine} */
    boolean isClockhandInForce() throws Exception {
        return (Boolean) ask("inForce");
    }

    /** {@return the caches of this engine that go through Clockhand, as text} */
    List<String> clockhandCaches() throws Exception {
        return ((List<?>) ask("caches")).stream().map(Object::toString).toList();
    }

    private Object ask(String method) throws Exception {
        try {
            return loader.loadClass(ClockhandDerby.class.getName())
                    .getMethod(method)
                    .invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    String log() throws IOException {
        return Files.readString(home.resolve("derby.log"));
    }

    @Override
    public void close() throws Exception {
        try {
            expectShutdown(";shutdown=true", "XJ015");
        } finally {
            loader.close();
            System.clearProperty("derby.system.home");
            if (logBefore == null) {
                System.clearProperty(LOG);
            } else {
                System.setProperty(LOG, logBefore);
            }
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> walk = Files.walk(folder)) {
                for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        delete(to);
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path path : walk.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
