package dev.berth.client;

import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A request to an API server, mostly about one object or one of its subresources. */
public sealed interface ApiRequest {

  Target target();

  /** What is asked, whoever leads. */
  default ApiRequest asked() {
    return this;
  }

  /** Whether it changes nothing. */
  default boolean isRead() {
    return this instanceof Get || this instanceof Discover;
  }

  /**
   * Reads an object or one of its subresources.
   *
   * @param parameters what else is said, such as {@code labelSelector}; those without a value are
   *     left out
   */
  record Get(Target target, Map<String, String> parameters) implements ApiRequest {
    public Get {
      checkNamed(target);
      parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    public Get(Target target) {
      this(target, Map.of());
    }
  }

  record Create(Target target, JsonObject object) implements ApiRequest {}

  record Update(Target target, JsonObject object) implements ApiRequest {
    public Update {
      checkNamed(target);
    }
  }

  /**
   * Changes an object by what a patch says.
   *
   * @param patch a value of a tree
   */
  record Patch(Target target, PatchType type, Object patch) implements ApiRequest {
    public Patch {
      checkNamed(target);
    }
  }

  /**
   * Makes the object what a configuration says, where it says something, and makes it if there is
   * none.
   *
   * @param fieldManager who the fields of the configuration belong to from then on
   * @param force whether fields are taken from others to whom they belong
   */
  record Apply(Target target, JsonObject configuration, String fieldManager, boolean force)
      implements ApiRequest {
    public Apply {
      checkNamed(target);
    }
  }

  record Delete(Target target, DeleteOptions options) implements ApiRequest {
    public Delete {
      checkNamed(target);
    }
  }

  /**
   * Deletes all objects of a resource in a namespace, each as if it were deleted by itself.
   *
   * @param target names no object, and names a namespace if the resource has them
   */
  record DeleteAll(Target target, DeleteOptions options) implements ApiRequest {}

  /**
   * Reads a document of discovery, such as {@code /apis/apps/v1}.
   *
   * @param path begins with a slash
   */
  record Discover(String path) implements ApiRequest {
    /** For a path that is no resource's: the target's name is the path. */
    @Override
    public Target target() {
      return Target.of(new GroupVersionResource("", "v1", ""), ObjectName.of(path));
    }
  }

  /** A write that happens only while a leader's term lasts, on servers that know of terms. */
  record ByLeader(ApiRequest asked, LeaderTerm term) implements ApiRequest {
    @Override
    public Target target() {
      return asked.target();
    }
  }

  /** Without a name, the path would be that of the whole collection. */
  private static void checkNamed(Target target) {
    if (target.name().name().isEmpty()) {
      throw new IllegalArgumentException("which of them? There is no name in " + target);
    }
  }
}
