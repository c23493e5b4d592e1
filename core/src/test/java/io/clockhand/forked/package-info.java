// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that tests run in JVMs of their own, with the library on the class path or as a module. The module has no
 * package of this name, since the JVM would look for the classes there.
 */
package io.clockhand.forked;
