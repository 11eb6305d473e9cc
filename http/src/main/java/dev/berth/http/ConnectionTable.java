package dev.berth.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Who is connected, and who has to go when there are too many: see {@link ConnectionLimits}. Pure;
 * for one thread at a time.
 *
 * @param <C> connections
 */
public final class ConnectionTable<C> {
  private final ConnectionLimits limits;
  private final Map<Object, Address> addresses = new HashMap<>();
  private final Map<C, Address> byConnection = new HashMap<>();
  private int unauthenticated;

  /** The connections of one address. */
  private final class Address {
    private final Object key;

    /** The oldest first. */
    private final SequencedSet<C> unauthenticatedHere = new LinkedHashSet<>();

    private int authenticated;

    Address(Object key) {
      this.key = key;
    }

    int connections() {
      return unauthenticatedHere.size() + authenticated;
    }
  }

  /**
   * A connection that is to be closed.
   *
   * @param reason which limit was reached
   */
  public record ToClose<C>(C connection, String reason) {}

  public ConnectionTable(ConnectionLimits limits) {
    this.limits = limits;
  }

  /** A client has connected. Whoever has to go for it is forgotten; that may be itself. */
  public Optional<ToClose<C>> opened(C connection, InetAddress from) {
    Address address = addresses.computeIfAbsent(key(from), Address::new);
    Optional<ToClose<C>> toClose = Optional.empty();
    if (address.connections() >= limits.perAddress()
        || address.unauthenticatedHere.size() >= limits.unauthenticatedPerAddress()) {
      toClose = Optional.of(oldest(address, connection, "too many connections from this address"));
    } else if (byConnection.size() >= limits.total()
        || unauthenticated >= limits.unauthenticated()) {
      toClose =
          Optional.of(oldest(mostUnauthenticated(address), connection, "too many connections"));
    }
    if (toClose.isPresent() && toClose.get().connection.equals(connection)) {
      removeIfEmpty(address);
      return toClose;
    }
    toClose.ifPresent(old -> closed(old.connection));
    Address place = addresses.computeIfAbsent(address.key, Address::new);
    place.unauthenticatedHere.add(connection);
    byConnection.put(connection, place);
    unauthenticated++;
    return toClose;
  }

  private ToClose<C> oldest(Address address, C newest, String reason) {
    return new ToClose<>(
        address.unauthenticatedHere.isEmpty() ? newest : address.unauthenticatedHere.getFirst(),
        reason);
  }

  private Address mostUnauthenticated(Address otherwise) {
    Address most = otherwise;
    for (Address each : addresses.values()) {
      if (each.unauthenticatedHere.size() > most.unauthenticatedHere.size()) {
        most = each;
      }
    }
    return most;
  }

  /** The client on a connection has proved who it is. */
  public void authenticated(C connection) {
    Address address = byConnection.get(connection);
    if (address != null && address.unauthenticatedHere.remove(connection)) {
      address.authenticated++;
      unauthenticated--;
    }
  }

  /** A connection is no more; also said of one that is forgotten already. */
  public void closed(C connection) {
    Address address = byConnection.remove(connection);
    if (address == null) {
      return;
    }
    if (address.unauthenticatedHere.remove(connection)) {
      unauthenticated--;
    } else {
      address.authenticated--;
    }
    removeIfEmpty(address);
  }

  private void removeIfEmpty(Address address) {
    if (address.connections() == 0) {
      addresses.remove(address.key, address);
    }
  }

  public int unauthenticated() {
    return unauthenticated;
  }

  public int authenticated() {
    return byConnection.size() - unauthenticated;
  }

  /** Who has one IPv6 address has the 2^64 beside it, too. */
  private static Object key(InetAddress address) {
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(address.getAddress()).getLong()
        : address;
  }
}
