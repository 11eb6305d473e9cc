package dev.berth.serving.aggregation;

import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What resources other servers have, as they last said, for discovery. For any thread. */
public final class RemoteResources {
  private final Map<GroupVersion, JsonObject> lists = new ConcurrentHashMap<>();

  /** A server answered with its APIResourceList. */
  public void learned(RemoteApi api, JsonObject resources) {
    lists.put(api.version(), resources);
  }

  /** All but these are gone. */
  public void retain(Collection<RemoteApi> apis) {
    lists.keySet().retainAll(apis.stream().map(RemoteApi::version).toList());
  }

  public Optional<JsonObject> of(GroupVersion version) {
    return Optional.ofNullable(lists.get(version));
  }
}
