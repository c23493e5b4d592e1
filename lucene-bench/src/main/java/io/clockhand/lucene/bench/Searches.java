// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;

/** Searches of one kind of work, always the same for a seed. */
final class Searches {
    private static final Sort BY_NUMBER = new Sort(new SortField("num", SortField.Type.LONG));
    private static final int HITS = 10;
    private static final int CANDIDATES = 50;
    private static final int PRIME = 31;

    private Searches() {}

    static Query[] list(Work work, long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        Query[] queries = new Query[count];
        for (int i = 0; i < count; i++) {
            queries[i] = draw(work, random);
        }
        return queries;
    }

    static Query draw(Work work, SplittableRandom random) {
        return work == Work.VECTORS
                ? new KnnFloatVectorQuery("vector", SearchIndex.vector(random), CANDIDATES)
                : new TermQuery(new Term("body", SearchIndex.word(random)));
    }

    /** No search is answered from memory of an earlier one. */
    static IndexSearcher uncached(DirectoryReader reader) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        return searcher;
    }

    /** {@return a hash of the number of hits, and of the ids and the scores or sort values of the best ones} */
    static long play(IndexSearcher searcher, Work work, Query query) throws IOException {
        TopDocs found = work == Work.SORTS ? searcher.search(query, HITS, BY_NUMBER) : searcher.search(query, HITS);
        long hash = found.totalHits.value();
        for (ScoreDoc hit : found.scoreDocs) {
            long value = hit instanceof FieldDoc sorted ? (long) sorted.fields[0] : Float.floatToIntBits(hit.score);
            hash = (hash * PRIME + hit.doc) * PRIME + value;
        }
        return hash;
    }
}
