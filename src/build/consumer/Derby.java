import io.clockhand.derby.ClockhandDerby;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

public class Derby {
    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:derby:memory:orders;create=true");
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (id int primary key)");
            statement.execute("insert into orders values (1), (2)");
            try (ResultSet result = statement.executeQuery("select count(*) from orders")) {
                result.next();
                System.out.println(result.getInt(1) + " orders, Clockhand in force: " + ClockhandDerby.inForce());
            }
        }
    }
}
