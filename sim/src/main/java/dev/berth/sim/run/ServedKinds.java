package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.client.Discovery;
import dev.berth.model.config.ConfigException;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which resource an object of a file belongs to, as the server says when it is first asked. */
final class ServedKinds {
  private final Api api;
  private final Map<String, Discovery.Served> known = new HashMap<>();

  ServedKinds(Api api) {
    this.api = api;
  }

  GroupVersionResource resource(JsonObject object) {
    return resource(object.text("apiVersion", ""), object.text("kind", ""));
  }

  GroupVersionResource resource(String apiVersion, String kind) {
    GroupVersion version = GroupVersion.parse(apiVersion);
    GroupVersionResource resource = served(apiVersion, kind).resource();
    return new GroupVersionResource(version.group(), version.version(), resource.resource());
  }

  /** The object in the namespace that it names, else in the default one if it is in any. */
  JsonObject placed(JsonObject object) {
    boolean namespaced =
        served(object.text("apiVersion", ""), object.text("kind", "")).namespaced();
    return namespaced && object.object("metadata").text("namespace", "").isEmpty()
        ? object.update("metadata", metadata -> metadata.with("namespace", "default"))
        : object;
  }

  /** Definitions may have come meanwhile, so a kind that is not known is asked for anew. */
  private Discovery.Served served(String apiVersion, String kind) {
    return find(apiVersion, kind)
        .or(() -> {
          for (Discovery.Served each : Discovery.read(api).resources()) {
            known.put(key(each.resource().group(), each.kind()), each);
          }
          return find(apiVersion, kind);
        })
        .orElseThrow(() ->
            new ConfigException(
                "The simulated cluster has no kind %s of %s.".formatted(kind, apiVersion)));
  }

  private Optional<Discovery.Served> find(String apiVersion, String kind) {
    return Optional.ofNullable(known.get(key(GroupVersion.parse(apiVersion).group(), kind)));
  }

  private static String key(String group, String kind) {
    return group + "/" + kind;
  }
}
