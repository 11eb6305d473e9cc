package dev.berth.serving.aggregation;

import dev.berth.http.Exchange;
import dev.berth.kinds.resource.Catalog;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that has to do with other servers' groups, put together. For any thread. */
public final class Aggregation {
  private static final String V3 = "/openapi/v3";
  private static final Comparator<GroupVersion> BY_NAME =
      Comparator.comparing(GroupVersion::toString);

  private final RemoteApis apis;
  private final RemoteResources resources = new RemoteResources();
  private final AggregationProxy proxy;
  private volatile @Nullable Shown shown;

  /**
   * What discovery shows.
   *
   * @param both what is known of those that are registered
   * @param documents the OpenAPI documents of all that are registered
   */
  private record Shown(
      Map<GroupVersion, JsonObject> known,
      Map<GroupVersion, RemoteOpenApi> described,
      Map<GroupVersion, RemoteApi> registered,
      Map<GroupVersion, JsonObject> both,
      Map<GroupVersion, RemoteOpenApi> documents) {}

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

  /** What discovery shows beside a catalog. */
  private Map<GroupVersion, JsonObject> discovered() {
    return shown().both;
  }

  /** What OpenAPI shows of each version that others answer for. */
  public Map<GroupVersion, RemoteOpenApi> documents() {
    return shown().documents;
  }

  /** Stands for all that others have: another object whenever that is something else. */
  public Object state() {
    return shown();
  }

  @SuppressWarnings("ReferenceEquality") // All are other objects whenever they are something else.
  private Shown shown() {
    Map<GroupVersion, JsonObject> known = resources.known();
    Map<GroupVersion, RemoteOpenApi> described = resources.documents();
    Map<GroupVersion, RemoteApi> registered = apis.all();
    Shown last = shown;
    if (last == null
        || last.known != known
        || last.described != described
        || last.registered != registered) {
      Map<GroupVersion, JsonObject> both = new HashMap<>(known);
      both.keySet().retainAll(registered.keySet());
      Map<GroupVersion, RemoteOpenApi> documents = new TreeMap<>(BY_NAME);
      registered
          .keySet()
          .forEach(version ->
              documents.put(version, described.getOrDefault(version, RemoteOpenApi.NONE)));
      last = new Shown(known, described, registered, Map.copyOf(both), documents);
      shown = last;
    }
    return last;
  }

  /** A catalog with what other servers have. */
  public Catalog with(Catalog catalog) {
    return RemoteResources.with(catalog, discovered());
  }

  /** The path that an OpenAPI document of another server is about; others as they are. */
  private String described(String path) {
    if (!path.startsWith(V3)) {
      return path;
    }
    String about = path.substring(V3.length());
    boolean known =
        documents().entrySet().stream()
            .anyMatch(entry ->
                about.equals("/apis/" + entry.getKey()) && !entry.getValue().v3Url().isEmpty());
    return known ? about : path;
  }

  /**
   * Passes a request on, if another server answers for its path.
   *
   * @param patience how long that one may take to begin its answer; zero for as long as it likes
   */
  public boolean forward(Exchange exchange, User user, Duration patience) {
    var remote = apis.answering(described(exchange.path()));
    remote.ifPresent(api -> proxy.forward(exchange, user, api, patience));
    return remote.isPresent();
  }
}
