package dev.berth.serving.aggregation;

import dev.berth.http.Exchange;
import dev.berth.kinds.resource.Catalog;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that has to do with other servers' groups, put together. For any thread. */
public final class Aggregation {
  private final RemoteApis apis;
  private final RemoteResources resources = new RemoteResources();
  private final AggregationProxy proxy;
  private volatile @Nullable Shown shown;

  /**
   * What discovery shows.
   *
   * @param both what is known of those that are registered
   */
  private record Shown(
      Map<GroupVersion, JsonObject> known,
      Map<GroupVersion, RemoteApi> registered,
      Map<GroupVersion, JsonObject> both) {}

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

  /** What discovery shows beside a catalog; another object whenever it is something else. */
  @SuppressWarnings("ReferenceEquality") // Both are other objects whenever they are something else.
  public Map<GroupVersion, JsonObject> discovered() {
    Map<GroupVersion, JsonObject> known = resources.known();
    Map<GroupVersion, RemoteApi> registered = apis.all();
    Shown last = shown;
    if (last == null || last.known != known || last.registered != registered) {
      Map<GroupVersion, JsonObject> both = new HashMap<>(known);
      both.keySet().retainAll(registered.keySet());
      last = new Shown(known, registered, Map.copyOf(both));
      shown = last;
    }
    return last.both;
  }

  /** A catalog with what other servers have. */
  public Catalog with(Catalog catalog) {
    return RemoteResources.with(catalog, discovered());
  }

  /**
   * Passes a request on, if another server answers for its path.
   *
   * @param patience how long that one may take to begin its answer; zero for as long as it likes
   */
  public boolean forward(Exchange exchange, User user, Duration patience) {
    var remote = apis.answering(exchange.path());
    remote.ifPresent(api -> proxy.forward(exchange, user, api, patience));
    return remote.isPresent();
  }
}
