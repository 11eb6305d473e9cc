package dev.berth.agent.volume;

import dev.berth.agent.node.NodeState;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.time.Loop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes directories of the built-in provisioner whose volumes were deleted.
 *
 * <p>A node may not look at volumes that no pod of it uses, and that one is gone does not say that
 * its content may go ({@code Retain}). So the controller that deletes a volume tells its node by an
 * annotation, which the node removes when it has removed the directory: nothing is forgotten,
 * whoever is down meanwhile. A node that does this says so by an annotation, too.
 */
public final class DirectoryCleanup {
  private static final Logger log = LoggerFactory.getLogger("volumes");
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Api api;
  private final Loop loop;
  private final NodeState node;
  private final LocalDirectories directories;

  /**
   * @param root of the agent's state
   */
  public DirectoryCleanup(Api api, Loop loop, NodeState node, Path root) {
    this.api = api;
    this.loop = loop;
    this.node = node;
    this.directories = new LocalDirectories(root.toAbsolutePath());
  }

  public void start() {
    loop.after(Duration.ZERO, this::look);
  }

  private void look() {
    Optional<JsonObject> patch = node.node().flatMap(this::needed);
    if (patch.isEmpty()
        || !loop.call(() -> carryOut(patch.get()), _ -> loop.after(INTERVAL, this::look))) {
      loop.after(INTERVAL, this::look);
    }
  }

  /** The annotations that are to be gone, or to be there; empty if there is nothing to do. */
  private Optional<JsonObject> needed(JsonObject self) {
    Metadata metadata = Metadata.of(self);
    JsonObject.Builder annotations = new JsonObject.Builder();
    if (metadata.annotation(LocalDirectory.REMOVED_BY_AGENT).isEmpty()) {
      annotations.put(LocalDirectory.REMOVED_BY_AGENT, "true");
    }
    for (String key : metadata.annotations().names()) {
      if (key.startsWith(LocalDirectory.DELETED_PREFIX)) {
        annotations.put(key, JsonNull.NULL);
      }
    }
    JsonObject needed = annotations.build();
    return needed.isEmpty() ? Optional.empty() : Optional.of(needed);
  }

  /** Beside the loop: removing many files takes a while. */
  private boolean carryOut(JsonObject annotations) {
    JsonObject done = annotations;
    for (String key : annotations.names()) {
      if (key.startsWith(LocalDirectory.DELETED_PREFIX)
          && !isRemoved(key.substring(LocalDirectory.DELETED_PREFIX.length()))) {
        done = done.without(key);
      }
    }
    if (done.isEmpty()) {
      return true;
    }
    ApiResult result =
        api.patch(
            Target.of(Resources.NODES, ObjectName.of(node.name())),
            PatchType.MERGE,
            JsonObject.of("metadata", JsonObject.of("annotations", done)));
    if (result instanceof ApiResult.Failure why) {
      log.warn("cannot report removed directories, which is tried again: {}", why.message());
    }
    return result.isDone();
  }

  private boolean isRemoved(String volume) {
    try {
      return directories.remove(volume);
    } catch (IOException e) {
      log.warn("cannot remove the directory of the deleted volume {}: {}", volume, e.getMessage());
      return false;
    }
  }
}
