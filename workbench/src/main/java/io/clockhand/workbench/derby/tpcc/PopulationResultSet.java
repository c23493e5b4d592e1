// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
import java.sql.ResultSetMetaData;
import java.sql.Timestamp;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.derby.vti.VTIMetaDataTemplate;
import org.apache.derby.vti.VTITemplate;

/** The rows of one table as a virtual table of Derby, so that its bulk insert can read them. */
public final class PopulationResultSet extends VTITemplate {
    /** Of the whole JVM, since Derby itself opens these result sets and nobody else can hold on to them. */
    private static final LongAdder ROWS_TAKEN = new LongAdder();

    private final Table table;
    private final Iterator<Object[]> rows;
    private Object[] row = {};
    private boolean lastWasNull;

    /** Called by Derby, with the last argument of SYSCS_BULK_INSERT as {@code scale}. */
    public PopulationResultSet(String schema, String table, String scale) {
        this.table = Table.valueOf(table);
        this.rows = new Population(Scale.parse(scale)).rows(this.table);
    }

    static double rowsTaken() {
        return ROWS_TAKEN.sum();
    }

    @Override
    public boolean next() {
        if (!rows.hasNext()) {
            return false;
        }
        row = rows.next();
        ROWS_TAKEN.increment();
        return true;
    }

    @Override
    public int getInt(int column) {
        Integer value = (Integer) at(column);
        return value == null ? 0 : value;
    }

    @Override
    public String getString(int column) {
        return (String) at(column);
    }

    @Override
    public BigDecimal getBigDecimal(int column) {
        return (BigDecimal) at(column);
    }

    @Override
    public Timestamp getTimestamp(int column) {
        return (Timestamp) at(column);
    }

    private Object at(int column) {
        Object value = row[column - 1];
        lastWasNull = value == null;
        return value;
    }

    @Override
    public boolean wasNull() {
        return lastWasNull;
    }

    @Override
    public void close() {}

    @Override
    public ResultSetMetaData getMetaData() {
        List<Table.Column> columns = table.columns();
        return new VTIMetaDataTemplate() {
            @Override
            public int getColumnCount() {
                return columns.size();
            }

            @Override
            public String getColumnName(int column) {
                return columns.get(column - 1).name();
            }

            @Override
            public int getColumnType(int column) {
                return columns.get(column - 1).jdbcType();
            }

            @Override
            public int isNullable(int column) {
                return columns.get(column - 1).nullable() ? columnNullable : columnNoNulls;
            }

            @Override
            public int getPrecision(int column) {
                return columns.get(column - 1).precision();
            }

            @Override
            public int getScale(int column) {
                return columns.get(column - 1).scale();
            }

            @Override
            public int getColumnDisplaySize(int column) {
                return Math.max(getPrecision(column), 1);
            }
        };
    }
}
