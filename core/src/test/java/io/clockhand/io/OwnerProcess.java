// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A JVM with {@link OwnerAgent}s, each in a class loader of its own: this one, or another process. */
final class OwnerProcess implements Closeable {
    private final List<UnaryOperator<String>> agents = new ArrayList<>();
    /** Null for this JVM. */
    private final Process process;

    private OwnerProcess(Process process) {
        this.process = process;
    }

    /** {@return agents in this JVM} */
    static OwnerProcess here(int count) throws ReflectiveOperationException, MalformedURLException {
        OwnerProcess here = new OwnerProcess(null);
        for (int i = 0; i < count; i++) {
            here.agents.add(agent());
        }
        return here;
    }

    @SuppressWarnings("unchecked")
    private static UnaryOperator<String> agent() throws ReflectiveOperationException, MalformedURLException {
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            places.add(Path.of(place).toUri().toURL());
        }
        URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()); // stays open
        return (UnaryOperator<String>)
                loader.loadClass(OwnerAgent.class.getName()).getConstructor().newInstance();
    }

    /** {@return agents in a JVM of their own} */
    static OwnerProcess start(int count) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnerProcess.class.getName(),
                        String.valueOf(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        OwnerProcess started = new OwnerProcess(process);
        PrintStream commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader answers =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (int i = 0; i < count; i++) {
            String to = i + " ";
            started.agents.add(command -> {
                commands.println(to + command);
                try {
                    String answer = answers.readLine();
                    if (answer == null) {
                        throw new AssertionError("the other process has ended at: " + command);
                    }
                    return answer;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return started;
    }

    /** Of the other process: the number of agents. */
    public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
        OwnerProcess agents = here(Integer.parseInt(arguments[0]));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            int to = line.indexOf(' ');
            System.out.println(agents.tell(Integer.parseInt(line.substring(0, to)), line.substring(to + 1)));
        }
    }

    /** {@return the answer of an agent to a command} */
    String tell(int agent, String command) {
        return agents.get(agent).apply(command);
    }

    /** Ends a process of its own, with its locks. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
