// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.function.DoubleConsumer;

/**
 * The work of one child JVM: a record that travels as JSON, with the name of its class.
 *
 * @param <A> the answer, a record that travels back
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
public interface Order<A> {
    /**
     * Performs the run, in the child JVM; throws what broke it off.
     *
     * @param progress receives several times a second the part that has passed
     */
    A perform(DoubleConsumer progress) throws Exception;
}
