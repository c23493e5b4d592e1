// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.Labels;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of the options of {@code bp-wrapper}. */
final class Choices {
    private Choices() {}

    static final class OfForms extends Choice<Form> {
        OfForms() {
            super("form", List.of(Form.values()), Form::label);
        }
    }

    static final class OfPolicies extends Choice<String> {
        OfPolicies() {
            super("policy", Form.policies(), name -> name);
        }
    }

    static final class OfStreams extends Choice<References> {
        OfStreams() {
            super("stream", List.of(References.values()), References::label);
        }
    }

    /** A number, or {@code half}. */
    static final class OfThresholds implements ITypeConverter<Integer>, Labels {
        static final String HALF = "half";

        @Override
        public Integer convert(String typed) {
            if (typed.equals(HALF)) {
                return Settings.HALF;
            }
            try {
                int threshold = Integer.parseInt(typed);
                return threshold == Settings.HALF ? -1 : threshold;
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + typed + "' is neither a number nor " + HALF);
            }
        }

        @Override
        public String label(Object threshold) {
            return threshold.equals(Settings.HALF) ? HALF : threshold.toString();
        }
    }
}
