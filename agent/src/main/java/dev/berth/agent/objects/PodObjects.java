package dev.berth.agent.objects;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * The objects that pods of this node refer to. For any thread; all methods but {@link #services}
 * may block until the server has answered.
 */
public interface PodObjects {

  /** Empty if there is no such config map. */
  Optional<JsonObject> configMap(String namespace, String name) throws ObjectsUnavailable;

  /** Empty if there is no such secret. */
  Optional<JsonObject> secret(String namespace, String name) throws ObjectsUnavailable;

  /** The services of a namespace as far as they are known. */
  List<JsonObject> services(String namespace);
}
