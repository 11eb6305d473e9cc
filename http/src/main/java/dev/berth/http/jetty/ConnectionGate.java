package dev.berth.http.jetty;

import dev.berth.http.ConnectionLimits;
import dev.berth.http.ConnectionTable;
import dev.berth.http.FailureListener;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/** Keeps connections within their limits: asks a {@link ConnectionTable}, under a lock. */
final class ConnectionGate implements Connection.Listener {
  private final ConnectionTable<SslConnection> table;
  private final Executor executor;
  private final FailureListener listener;
  private final LongAdder refused = new LongAdder();

  /** So that only the first request of a connection takes the lock. */
  private final Set<SslConnection> authenticated = ConcurrentHashMap.newKeySet();

  /** Completed when there is no connection; made when somebody waits for that. */
  private @Nullable CompletableFuture<Void> empty;

  ConnectionGate(ConnectionLimits limits, Executor executor, FailureListener listener) {
    this.table = new ConnectionTable<>(limits);
    this.executor = executor;
    this.listener = listener;
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection tls
        && tls.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress from) {
      Optional<ConnectionTable.ToClose<SslConnection>> toClose;
      synchronized (table) {
        toClose = table.opened(tls, from.getAddress());
      }
      toClose.ifPresent(this::close);
    }
  }

  private void close(ConnectionTable.ToClose<SslConnection> toClose) {
    refused.increment();
    EndPoint endPoint = toClose.connection().getEndPoint();
    listener.onConnectionRefused(endPoint.getRemoteSocketAddress(), toClose.reason());
    // Not here: a connection that is being opened must not be closed beneath whoever opens it.
    executor.execute(endPoint::close);
  }

  @Override
  public void onClosed(Connection connection) {
    if (connection instanceof SslConnection tls) {
      authenticated.remove(tls);
      synchronized (table) {
        table.closed(tls);
        tellEmpty();
      }
    }
  }

  /** Done when all connections have closed; for a server that accepts no more. */
  CompletableFuture<Void> whenEmpty() {
    synchronized (table) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      empty = done;
      tellEmpty();
      return done;
    }
  }

  private void tellEmpty() {
    if (empty != null && table.authenticated() + table.unauthenticated() == 0) {
      empty.complete(null);
    }
  }

  /** A request on a connection was authenticated. */
  void authenticated(EndPoint endPoint) {
    if (endPoint instanceof SslConnection.SslEndPoint decrypted) {
      SslConnection tls = decrypted.getSslConnection();
      if (!authenticated.contains(tls)) {
        synchronized (table) {
          table.authenticated(tls);
        }
        authenticated.add(tls);
        if (!tls.getEndPoint().isOpen()) {
          authenticated.remove(tls);
        }
      }
    }
  }

  /** How many there are, and were refused or closed so far. */
  HttpServer.Connections figures() {
    synchronized (table) {
      return new HttpServer.Connections(
          table.authenticated(), table.unauthenticated(), refused.sum());
    }
  }
}
