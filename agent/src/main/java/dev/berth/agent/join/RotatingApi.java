package dev.berth.agent.join;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.pki.NodeCredential;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection whose client certificate is replaced while it is used. What begins after that has
 * the new certificate; what is under way gets a minute to end, and then watches end and begin again
 * by themselves.
 */
public final class RotatingApi implements Api, AutoCloseable {
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Connection connection;
  private final Time time;
  private final String component;
  private final Loop loop;
  private final AtomicReference<HttpApi> current;

  public RotatingApi(Connection connection, Time time, String component) {
    this.connection = connection;
    this.time = time;
    this.component = component;
    this.loop = time.start("connection");
    this.current = new AtomicReference<>(new HttpApi(connection, time, component));
  }

  /** Uses another certificate from now on. For any thread. */
  public void use(NodeCredential credential) {
    Connection renewed = NodeBootstrap.with(connection, credential);
    HttpApi before = current.getAndSet(new HttpApi(renewed, time, component));
    loop.after(GRACE, before::close);
  }

  @Override
  public ApiResult send(ApiRequest request) {
    return current.get().send(request);
  }

  @Override
  public ListResult list(ListRequest request) {
    return current.get().list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return current.get().watch(request, onReady);
  }

  @Override
  public void close() {
    loop.close();
    current.get().close();
  }
}
