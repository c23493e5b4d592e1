// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Derby engine in a class loader of its own, with its own {@code derby.properties}. One JVM can thus run Derby with
 * its own cache and with Clockhand, and several versions of Derby, one after the other. Close it before another is
 * booted: the home of an engine is a property of the JVM. Closing it checks the integrity of Clockhand's caches.
 */
public final class DerbyHost implements AutoCloseable {
    private static final String LOG = "derby.stream.error.file";
    private static final Pattern DERBY_JAR = Pattern.compile("derby(shared|tools)?-[0-9.]+\\.jar");

    private final Path home;
    private final URLClassLoader loader;
    private final Driver driver;
    private final String logBefore;
    private boolean isShutDown;

    private DerbyHost(Path home, String version, Map<String, String> properties) throws Exception {
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
        loader = new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader());
        driver = (Driver) loader.loadClass("org.apache.derby.jdbc.EmbeddedDriver")
                .getConstructor()
                .newInstance();
    }

    /** {@return an empty folder below {@code target}} */
    public static Path freshHome(String name) throws IOException {
        Path home = Path.of("target", "derby-homes", name).toAbsolutePath();
        delete(home);
        return Files.createDirectories(home);
    }

    static DerbyHost stock(Path home, String... properties) throws Exception {
        return new DerbyHost(home, null, map(properties));
    }

    static DerbyHost clockhand(Path home, String... properties) throws Exception {
        return new DerbyHost(home, null, clockhandMap(properties));
    }

    /**
     * Boots one of the versions of Derby that the build has put below {@code target/lib}.
     *
     * @param version the version of Derby
     * @param home the engine's home
     * @param clockhand whether with Clockhand or with Derby's own cache
     * @param properties names and values for {@code derby.properties}
     * @return the engine
     */
    public static DerbyHost of(String version, Path home, boolean clockhand, String... properties) throws Exception {
        return new DerbyHost(home, version, clockhand ? clockhandMap(properties) : map(properties));
    }

    private static Map<String, String> clockhandMap(String... properties) {
        Map<String, String> all = map(properties);
        all.put("derby.module.clockhand", ClockhandCacheFactory.class.getName());
        return all;
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

    /** The tests' own class path, with the jars of another Derby if a version is given. */
    private static URL[] classPath(String version) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (version == null
                    || !DERBY_JAR.matcher(path.getFileName().toString()).matches()) {
                urls.add(path.toUri().toURL());
            }
        }
        if (version != null) {
            try (Stream<Path> jars = Files.list(Path.of("target", "lib", "derby-" + version))) {
                for (Path jar : jars.toList()) {
                    urls.add(jar.toUri().toURL());
                }
            }
        }
        return urls.toArray(new URL[0]);
    }

    /** {@return the class loader of this engine, which also sees the classes of the tests} */
    public ClassLoader loader() {
        return loader;
    }

    /** {@return the version of this engine's Derby} */
    public String derbyVersion() throws Exception {
        return (String)
                invoke(loader.loadClass("org.apache.derby.tools.sysinfo").getMethod("getVersionString"), null);
    }

    public Connection connect(String database) throws SQLException {
        return driver.connect("jdbc:derby:" + database, new Properties());
    }

    public Connection create(String database) throws SQLException {
        int end = database.indexOf(';');
        return end < 0
                ? connect(database + ";create=true")
                : connect(database.substring(0, end) + ";create=true" + database.substring(end));
    }

    public void shutdown(String database) throws SQLException, InterruptedException {
        awaitIndexStatistics();
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
    public boolean isClockhandInForce() throws Exception {
        return (Boolean) ask("inForce");
    }

    /** {@return the caches of this engine that go through Clockhand, as text} */
    public List<String> clockhandCaches() throws Exception {
        return ((List<?>) ask("caches")).stream().map(Object::toString).toList();
    }

    private Object ask(String method) throws Exception {
        return invoke(loader.loadClass(ClockhandDerby.class.getName()).getMethod(method), null);
    }

    private static Object invoke(Method method, Object target, Object... arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** {@return a check, to be run when nobody uses the databases that are open now any more} */
    public CacheCheck cacheCheck() throws Exception {
        Object inside = loader.loadClass(CacheCheck.Inside.class.getName())
                .getConstructor()
                .newInstance();
        Method run = inside.getClass().getMethod("run");
        return () -> invoke(run, inside);
    }

    /** Lets the caches of a name fail. */
    void failCaches(String name) throws Exception {
        invoke(loader.loadClass(FailedCache.class.getName()).getMethod("fail", String.class), null, name);
    }

    public String log() throws IOException {
        return Files.readString(home.resolve("derby.log"));
    }

    /** Shuts the engine down, also while threads use it; {@link #close} then checks nothing. */
    void shutdownEngine() throws SQLException {
        isShutDown = true;
        expectShutdown(";shutdown=true", "XJ015");
    }

    /**
     * Waits for the threads in which Derby updates the statistics of indexes after a query. The shutdown does not wait
     * for them, and their exceptions then end them with a transaction that is open for good: the containers that it
     * uses stay kept, and a page that it has changed stays dirty.
     */
    private static void awaitIndexStatistics() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("derby.index-stat-thread")) {
                thread.join();
            }
        }
    }

    @Override
    public void close() throws Exception {
        try {
            if (!isShutDown) {
                CacheCheck check = cacheCheck();
                awaitIndexStatistics();
                shutdownEngine();
                check.run();
            }
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

    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> walk = Files.walk(folder)) {
                for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    public static void copy(Path from, Path to) throws IOException {
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
