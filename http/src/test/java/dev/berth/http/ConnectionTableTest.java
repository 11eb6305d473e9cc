package dev.berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has to go when there are too many connections. */
class ConnectionTableTest {
  private static final String HERE = "10.0.0.1";

  private final ConnectionTable<String> table =
      new ConnectionTable<>(new ConnectionLimits(10, 6, 7, 3));

  private String open(String connection, String address) {
    try {
      return table
          .opened(connection, InetAddress.getByName(address))
          .map(closed -> closed.connection() + ": " + closed.reason())
          .orElse("");
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void authenticated(String address, String... connections) {
    for (String connection : connections) {
      assertThat(open(connection, address)).isEmpty();
      table.authenticated(connection);
    }
  }

  @Test
  void anAddressMakesRoomForItsOwn() {
    open("a", HERE);
    open("b", HERE);
    open("c", HERE);
    assertThat(open("d", HERE)).isEqualTo("a: too many connections from this address");
    assertThat(open("e", HERE)).isEqualTo("b: too many connections from this address");
    assertThat(open("f", "10.0.0.2")).isEmpty();
    assertThat(table.unauthenticated()).isEqualTo(4);
  }

  @Test
  void whoIsAuthenticatedIsNeverClosed() {
    authenticated(HERE, "a", "b", "c", "d", "e");
    open("f", HERE);
    assertThat(open("g", HERE)).startsWith("f: ");
    table.authenticated("g");
    assertThat(open("h", HERE)).as("nobody is left to close").startsWith("h: ");
    assertThat(table.authenticated()).isEqualTo(6);
    assertThat(table.unauthenticated()).isZero();
  }

  @Test
  void allTogetherTakeFromTheAddressThatHasMost() {
    open("a1", "10.0.0.1");
    open("b1", "10.0.0.2");
    open("b2", "10.0.0.2");
    open("b3", "10.0.0.2");
    open("c1", "10.0.0.3");
    open("c2", "10.0.0.3");
    open("d1", "10.0.0.4");
    assertThat(open("e1", "10.0.0.5")).isEqualTo("b1: too many connections");
    assertThat(table.unauthenticated()).isEqualTo(7);
  }

  @Test
  void placesAreKeptForThoseWhoAreAuthenticated() {
    for (int i = 0; i < 7; i++) {
      assertThat(open("u" + i, "10.0.1." + i)).isEmpty();
    }
    assertThat(open("u7", "10.0.1.7")).isNotEmpty();
    table.authenticated("u7");
    authenticated("10.0.2.1", "k1");
    assertThat(table.authenticated()).isEqualTo(2);
  }

  @Test
  void whatIsClosedIsForgotten() {
    open("a", HERE);
    open("b", HERE);
    open("c", HERE);
    table.closed("b");
    assertThat(open("d", HERE)).isEmpty();
    table.closed("never seen");
    assertThat(table.unauthenticated()).isEqualTo(3);
  }

  @Test
  void anIpv6NetworkIsOneAddress() {
    open("a", "fd00::1");
    open("b", "fd00::2");
    open("c", "fd00::3");
    assertThat(open("d", "fd00::4")).startsWith("a: ");
    assertThat(open("e", "fd00:0:0:1::1")).isEmpty();
    assertThat(Optional.of(table.unauthenticated())).contains(4);
  }
}
