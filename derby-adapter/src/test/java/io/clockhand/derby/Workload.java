// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/**
 * Threads that insert, update, delete, look up, scan, and write and read BLOBs, each in rows of its own of the same
 * tables: what is there at the end depends on the seed only, not on the threads or the cache.
 */
public final class Workload {
    private static final int ROWS = 250;

    private final DerbyHost host;
    private final String database;
    private final long seed;
    private final int threads;
    private final int transactions;

    public Workload(DerbyHost host, String database, long seed, int threads, int transactions) {
        this.host = host;
        this.database = database;
        this.seed = seed;
        this.threads = threads;
        this.transactions = transactions;
    }

    /** Small pages for the rows and their index, large pages for the BLOBs. */
    public static void createTables(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            call(connection, "SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', '4096')");
            sql.execute("create table items (owner int not null, id int not null, amount int not null,"
                    + " filler varchar(600) not null, primary key (owner, id))");
            sql.execute("create index items_amount on items (owner, amount)");
            call(connection, "SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', '32768')");
            sql.execute("create table files (owner int not null, id int not null, content blob(1M),"
                    + " primary key (owner, id))");
            call(connection, "SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', null)");
        }
    }

    public void run() throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int owner = t;
            tasks.add(() -> {
                work(owner);
                return null;
            });
        }
        tasks.add(() -> {
            for (int i = 0; i < 5; i++) {
                try (Connection connection = host.connect(database)) {
                    call(connection, "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
                }
            }
            return null;
        });
        ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> future : pool.invokeAll(tasks, 4, TimeUnit.MINUTES)) {
                future.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void work(int owner) throws SQLException {
        try (Connection connection = host.connect(database)) {
            connection.setAutoCommit(false);
            fill(connection, owner);
            for (int transaction = 0; transaction < transactions; ) {
                try {
                    step(connection, owner, new Random(seed + owner * 1_000_003L + transaction));
                    transaction++;
                } catch (SQLTransactionRollbackException deadlock) {
                    connection.rollback();
                }
            }
        }
    }

    private static void fill(Connection connection, int owner) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into items values (?, ?, ?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert(insert, owner, id, id % 37);
            }
        }
        connection.commit();
    }

    private static void insert(PreparedStatement insert, int owner, int id, int amount) throws SQLException {
        insert.setInt(1, owner);
        insert.setInt(2, id);
        insert.setInt(3, amount);
        insert.setString(4, "x".repeat(400 + (id * 31 + amount) % 200));
        insert.executeUpdate();
    }

    private void step(Connection connection, int owner, Random random) throws SQLException {
        for (int i = 0; i < 6; i++) {
            int id = random.nextInt(ROWS);
            switch (random.nextInt(6)) {
                case 0 ->
                    update(connection, "update items set amount = amount + 1 where owner = ? and id = ?", owner, id);
                case 1 -> {
                    update(connection, "delete from items where owner = ? and id = ?", owner, id);
                    try (PreparedStatement sql = connection.prepareStatement("insert into items values (?, ?, ?, ?)")) {
                        insert(sql, owner, id, random.nextInt(40));
                    }
                }
                case 2 -> query(connection, "select filler from items where owner = ? and id = ?", owner, id);
                case 3 -> query(connection, "select sum(id) from items where owner = ? and amount > ?", owner, 20);
                case 4 -> query(connection, "select filler from items where owner = ? and id > ?", owner, id);
                default -> blob(connection, owner, id % 12, random);
            }
        }
        if (random.nextInt(5) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    private static void blob(Connection connection, int owner, int id, Random random) throws SQLException {
        byte[] content = new byte[random.nextInt(90_000)];
        random.nextBytes(content);
        update(connection, "delete from files where owner = ? and id = ?", owner, id);
        try (PreparedStatement insert = connection.prepareStatement("insert into files values (?, ?, ?)")) {
            insert.setInt(1, owner);
            insert.setInt(2, id);
            insert.setBinaryStream(3, new ByteArrayInputStream(content), content.length);
            insert.executeUpdate();
        }
    }

    private static void update(Connection connection, String text, int owner, int id) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(text)) {
            sql.setInt(1, owner);
            sql.setInt(2, id);
            sql.executeUpdate();
        }
    }

    private static void query(Connection connection, String text, int owner, int id) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(text)) {
            sql.setInt(1, owner);
            sql.setInt(2, id);
            try (ResultSet rows = sql.executeQuery()) {
                while (rows.next()) {
                    rows.getObject(1);
                }
            }
        }
    }

    static void compress(Connection connection) throws SQLException {
        call(connection, "SYSCS_UTIL.SYSCS_COMPRESS_TABLE('APP', 'ITEMS', 0)");
        call(connection, "SYSCS_UTIL.SYSCS_INPLACE_COMPRESS_TABLE('APP', 'FILES', 1, 1, 1)");
    }

    /** Lets Derby check every table with its indexes, then {@return a checksum of all rows and BLOBs}. */
    public static long check(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            try (ResultSet tables = sql.executeQuery("select s.schemaname, t.tablename,"
                    + " SYSCS_UTIL.SYSCS_CHECK_TABLE(s.schemaname, t.tablename)"
                    + " from sys.sysschemas s, sys.systables t where s.schemaid = t.schemaid")) {
                while (tables.next()) {
                    if (tables.getInt(3) != 1) {
                        throw new IllegalStateException("inconsistent: " + tables.getString(2));
                    }
                }
            }
            CRC32 sum = new CRC32();
            try (ResultSet rows = sql.executeQuery("select * from items order by owner, id")) {
                while (rows.next()) {
                    sum.update((rows.getInt(1) + "," + rows.getInt(2) + "," + rows.getInt(3) + rows.getString(4))
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
                }
            }
            try (ResultSet rows = sql.executeQuery("select content from files order by owner, id")) {
                while (rows.next()) {
                    sum.update(rows.getBytes(1));
                }
            }
            return sum.getValue();
        }
    }

    public static void call(Connection connection, String procedure) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("call " + procedure);
        }
    }
}
