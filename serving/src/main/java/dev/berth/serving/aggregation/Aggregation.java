package dev.berth.serving.aggregation;

import dev.berth.http.Exchange;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;

/** All that has to do with other servers' groups, put together. For any thread. */
public final class Aggregation {
  private final RemoteApis apis;
  private final RemoteResources resources = new RemoteResources();
  private final AggregationProxy proxy;

  public Aggregation(Registry registry, RemoteApiConnector connector) {
    this.apis = new RemoteApis(registry);
    this.proxy = new AggregationProxy(connector);
  }

  public RemoteApis apis() {
    return apis;
  }

  /** What other servers have, as far as it is known. */
  public RemoteResources resources() {
    return resources;
  }

  /** Passes a request on, if another server answers for its path. */
  public boolean forward(Exchange exchange, User user) {
    var remote = apis.answering(exchange.path());
    remote.ifPresent(api -> proxy.forward(exchange, user, api));
    return remote.isPresent();
  }
}
