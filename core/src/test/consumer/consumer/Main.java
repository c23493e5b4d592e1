// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package consumer;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests and prints how many succeeded. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(
                                        selectClass(CountingStoreTest.class),
                                        selectClass(CrashTest.class),
                                        selectClass(PoolTest.class))
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true));
        System.out.println(summary.getTestsSucceededCount() + " succeeded, " + summary.getTotalFailureCount()
                + " failed, " + Main.class.getModule());
    }
}
