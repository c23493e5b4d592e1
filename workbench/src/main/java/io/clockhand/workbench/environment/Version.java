// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import picocli.CommandLine.IVersionProvider;

/** The version of the workbench, from its jar's manifest. */
public final class Version implements IVersionProvider {

    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"clockhand workbench " + current()};
    }
}
