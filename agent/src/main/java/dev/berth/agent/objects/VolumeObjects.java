package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * The claims and volumes of this node's pods. They are read when a pod starts, and not watched: a
 * claim that is bound stays with its volume.
 */
public final class VolumeObjects {
  private final Api api;

  public VolumeObjects(Api api) {
    this.api = api;
  }

  public Optional<JsonObject> claim(ObjectName name) throws ObjectsUnavailable {
    return SingleReads.get(api, Resources.PERSISTENT_VOLUME_CLAIMS, name);
  }

  public Optional<JsonObject> volume(String name) throws ObjectsUnavailable {
    return SingleReads.get(api, Resources.PERSISTENT_VOLUMES, ObjectName.of(name));
  }

  public Optional<JsonObject> driver(String name) throws ObjectsUnavailable {
    return SingleReads.get(api, Resources.CSI_DRIVERS, ObjectName.of(name));
  }
}
