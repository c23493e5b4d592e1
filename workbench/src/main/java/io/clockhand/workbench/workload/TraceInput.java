// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.InputStream;
import java.nio.charset.Charset;

/**
 * A trace whose bytes are unpacked, ready for the reader of a format.
 *
 * @param file its name in messages
 * @param charset of text
 * @param column of CSV; null for the usual one
 */
record TraceInput(String file, InputStream bytes, Charset charset, String column) {}
