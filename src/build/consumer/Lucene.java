import io.clockhand.lucene.ClockhandDirectory;
import io.clockhand.lucene.DirectoryPool;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;

public class Lucene {
    public static void main(String[] arguments) throws Exception {
        try (DirectoryPool pool = DirectoryPool.builder().capacityBytes(1 << 24).build();
                Directory directory = new ClockhandDirectory(Path.of("index"), pool)) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
                Document document = new Document();
                document.add(new StringField("city", "Lisbon", Field.Store.NO));
                writer.addDocument(document);
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                int found = new IndexSearcher(reader).count(new TermQuery(new Term("city", "Lisbon")));
                System.out.println(found + " document found");
            }
        }
    }
}
