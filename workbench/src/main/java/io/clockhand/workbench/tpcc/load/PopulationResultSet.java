// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.load;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.Timestamp;
import java.util.Iterator;
import org.apache.derby.vti.VTITemplate;

/** The rows of one table as a Derby table function, so that Derby's bulk insert can read them. */
public final class PopulationResultSet extends VTITemplate {
    private final Iterator<Object[]> rows;
    private Object[] row = {};
    private boolean lastWasNull;

    PopulationResultSet(Iterator<Object[]> rows) {
        this.rows = rows;
    }

    /** Called by Derby: the functions that {@link Table#createFunctionStatement} declares all lead here. */
    public static ResultSet open(String table, String scale) {
        return new PopulationResultSet(new Population(Scale.parse(scale)).rows(Table.valueOf(table)));
    }

    @Override
    public boolean next() {
        if (!rows.hasNext()) {
            return false;
        }
        row = rows.next();
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
}
