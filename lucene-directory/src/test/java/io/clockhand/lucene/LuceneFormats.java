// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseCompoundFormatTestCase;
import org.apache.lucene.tests.index.BaseDocValuesFormatTestCase;
import org.apache.lucene.tests.index.BaseFieldInfoFormatTestCase;
import org.apache.lucene.tests.index.BaseKnnVectorsFormatTestCase;
import org.apache.lucene.tests.index.BaseLiveDocsFormatTestCase;
import org.apache.lucene.tests.index.BaseNormsFormatTestCase;
import org.apache.lucene.tests.index.BasePointsFormatTestCase;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.index.BaseSegmentInfoFormatTestCase;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;
import org.apache.lucene.tests.index.BaseTermVectorsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Version;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;

/**
 * Lucene's tests of everything that an index has, with its default codec, on {@link PooledDirectory}. They take a
 * minute and run at night, by name: no pattern of names finds this class.
 */
@RunWith(Suite.class)
@Suite.SuiteClasses({
    LuceneFormats.Compounds.class,
    LuceneFormats.DocValues.class,
    LuceneFormats.FieldInfos.class,
    LuceneFormats.LiveDocs.class,
    LuceneFormats.Norms.class,
    LuceneFormats.Points.class,
    LuceneFormats.Postings.class,
    LuceneFormats.SegmentInfos.class,
    LuceneFormats.StoredFields.class,
    LuceneFormats.TermVectors.class,
    LuceneFormats.Vectors.class
})
public class LuceneFormats {
    public static class Compounds extends BaseCompoundFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class DocValues extends BaseDocValuesFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class FieldInfos extends BaseFieldInfoFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class LiveDocs extends BaseLiveDocsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class Norms extends BaseNormsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class Points extends BasePointsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class Postings extends BasePostingsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class SegmentInfos extends BaseSegmentInfoFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }

        @Override
        protected Version[] getVersions() {
            return new Version[] {Version.LATEST};
        }
    }

    public static class StoredFields extends BaseStoredFieldsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class TermVectors extends BaseTermVectorsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static class Vectors extends BaseKnnVectorsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }

        @Override
        protected boolean supportsFloatVectorFallback() {
            return false;
        }
    }
}
