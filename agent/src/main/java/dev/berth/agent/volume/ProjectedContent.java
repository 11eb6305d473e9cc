package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.node.NodeState;
import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.objects.ServiceAccountTokens;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceFieldSelector;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.downward.DownwardField;
import dev.berth.policy.downward.DownwardResource;
import dev.berth.policy.downward.DownwardValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What volumes hold that are made of other objects: their files, by paths. */
final class ProjectedContent {
  private static final int DEFAULT_MODE = 0644;

  /** Of what is nobody else's business; a group gets its share by {@link FsGroup}. */
  private static final int PRIVATE_MODE = 0600;

  private static final long DEFAULT_TOKEN_SECONDS = 3600;

  private final PodObjects objects;
  private final ServiceAccountTokens tokens;
  private final NodeState node;

  ProjectedContent(PodObjects objects, ServiceAccountTokens tokens, NodeState node) {
    this.objects = objects;
    this.tokens = tokens;
    this.node = node;
  }

  Map<String, ProjectedFile> configMap(PodVolume volume) throws SetUpException {
    return configMap(volume, volume.source(), mode(volume));
  }

  Map<String, ProjectedFile> secret(PodVolume volume) throws SetUpException {
    String name = volume.source().text("secretName", "");
    return secret(volume, volume.source(), name, mode(volume));
  }

  Map<String, ProjectedFile> downward(PodVolume volume) throws SetUpException {
    return downward(volume, volume.source().array("items"), mode(volume));
  }

  /** All that goes wrong is told, not only the first. */
  Map<String, ProjectedFile> projected(PodVolume volume) throws SetUpException {
    Map<String, ProjectedFile> files = new TreeMap<>();
    Set<String> problems = new LinkedHashSet<>();
    int mode = mode(volume);
    for (JsonObject source : volume.source().array("sources").objects()) {
      try {
        files.putAll(source(volume, source, mode));
      } catch (SetUpException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    throwIfAny(problems);
    return files;
  }

  private Map<String, ProjectedFile> source(PodVolume volume, JsonObject source, int mode)
      throws SetUpException {
    if (source.has("secret")) {
      JsonObject secret = source.object("secret");
      return secret(volume, secret, secret.text("name", ""), mode);
    }
    if (source.has("configMap")) {
      return configMap(volume, source.object("configMap"), mode);
    }
    if (source.has("downwardAPI")) {
      return downward(volume, source.object("downwardAPI").array("items"), mode);
    }
    if (source.has("serviceAccountToken")) {
      return token(volume, source.object("serviceAccountToken"), mode);
    }
    throw new SetUpException(
        "this node cannot project %s; it projects secret, configMap, downwardAPI and serviceAccountToken"
            .formatted(source.isEmpty() ? "a source without a kind" : source.name(0)));
  }

  private static int mode(PodVolume volume) {
    return (int) volume.source().integer("defaultMode").orElse(DEFAULT_MODE);
  }

  private Map<String, ProjectedFile> configMap(PodVolume volume, JsonObject source, int mode)
      throws SetUpException {
    String name = source.text("name", "");
    boolean optional = source.flag("optional", false);
    JsonObject configMap =
        found(() -> objects.configMap(volume.namespace(), name), "configmap", name, optional);
    return ConfigMapFiles.ofConfigMap(configMap, source.array("items"), mode, optional);
  }

  private Map<String, ProjectedFile> secret(
      PodVolume volume, JsonObject source, String name, int mode) throws SetUpException {
    boolean optional = source.flag("optional", false);
    JsonObject secret =
        found(() -> objects.secret(volume.namespace(), name), "secret", name, optional);
    return ConfigMapFiles.ofSecret(secret, source.array("items"), mode, optional);
  }

  /** How an object is read. */
  private interface Read {
    Optional<JsonObject> object() throws ObjectsUnavailable;
  }

  /** An object that may be missing is empty then. */
  private static JsonObject found(Read read, String kind, String name, boolean optional)
      throws SetUpException {
    try {
      Optional<JsonObject> object = read.object();
      if (object.isEmpty() && !optional) {
        throw new SetUpException("%s \"%s\" not found".formatted(kind, name));
      }
      return object.orElse(JsonObject.EMPTY);
    } catch (ObjectsUnavailable e) {
      throw new SetUpException(
          "cannot read %s \"%s\": %s".formatted(kind, name, e.getMessage()), e);
    }
  }

  private Map<String, ProjectedFile> token(PodVolume volume, JsonObject source, int mode)
      throws SetUpException {
    boolean hasOwner = volume.onlyUser().isPresent() || volume.fsGroup().group().isPresent();
    try {
      String token =
          tokens.token(
              volume.pod(),
              source.text("audience", ""),
              source.integer("expirationSeconds").orElse(DEFAULT_TOKEN_SECONDS));
      return Map.of(
          source.text("path", ""),
          new ProjectedFile(
              token.getBytes(UTF_8), hasOwner ? PRIVATE_MODE : mode, volume.onlyUser()));
    } catch (ObjectsUnavailable e) {
      throw new SetUpException(String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, ProjectedFile> downward(PodVolume volume, JsonArray items, int mode)
      throws SetUpException {
    Map<String, ProjectedFile> files = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    for (JsonObject item : items.objects()) {
      switch (value(volume, item)) {
        case DownwardValue.Text(String text) ->
            files.put(
                item.text("path", ""),
                new ProjectedFile(text.getBytes(UTF_8), (int) item.integer("mode").orElse(mode)));
        case DownwardValue.Problem(String message) -> problems.add(message);
      }
    }
    throwIfAny(problems);
    return files;
  }

  private DownwardValue value(PodVolume volume, JsonObject item) {
    return item.has("resourceFieldRef")
        ? DownwardResource.read(
            PodSpecView.read(volume.pod().object("spec")),
            ResourceFieldSelector.read(item.object("resourceFieldRef")),
            allocatable(node))
        : DownwardField.read(volume.pod(), item.object("fieldRef").text("fieldPath", ""));
  }

  static ResourceList allocatable(NodeState node) {
    return node.node()
        .map(tree -> ResourceList.read(tree.object("status").object("allocatable")))
        .orElse(ResourceList.EMPTY);
  }

  private static void throwIfAny(Iterable<String> problems) throws SetUpException {
    List<String> all = new ArrayList<>();
    problems.forEach(all::add);
    if (!all.isEmpty()) {
      throw new SetUpException(all.size() == 1 ? all.getFirst() : all.toString());
    }
  }
}
