package dev.berth.admission;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeMemo;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The volume that gives a pod what it needs to speak to the API: a token of its account, the
 * cluster's certificate, and the name of its namespace.
 *
 * <p>Its name is drawn at random, so that nobody relies on it, and once for all pods: so those of a
 * template stay alike, are worked out once, and share their containers in memory. Kubernetes draws
 * one for each pod.
 */
final class TokenVolume {
  static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  static final String NAME_PREFIX = "kube-api-access-";

  /** An hour, and some seconds so that it can be told from an hour that somebody asked for. */
  private static final long EXPIRATION_SECONDS = 3607;

  private static final long MODE = 0644;
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int RANDOM_LENGTH = 5;

  private final String drawnName;
  private final TreeMemo<JsonObject> mounted = new TreeMemo<>(this::mounted);

  TokenVolume(RandomGenerator random) {
    drawnName = drawName(random);
  }

  /** Whether a pod asks for tokens by itself. */
  static boolean isProjectedIn(JsonObject spec) {
    return spec.array("volumes").objects().stream()
        .flatMap(volume -> volume.object("projected").array("sources").objects().stream())
        .anyMatch(source -> source.has("serviceAccountToken"));
  }

  /** A pod's specification with the volume mounted wherever nothing else is in its place. */
  JsonObject mountIn(JsonObject spec) {
    return mounted.of(spec);
  }

  private JsonObject mounted(JsonObject spec) {
    String existing =
        spec.array("volumes").objects().stream()
            .map(volume -> volume.text("name", ""))
            .filter(name -> name.startsWith(NAME_PREFIX))
            .findFirst()
            .orElse("");
    String name = existing.isEmpty() ? drawnName : existing;
    JsonObject mount =
        new JsonObject.Builder()
            .put("name", name)
            .put("readOnly", true)
            .put("mountPath", MOUNT_PATH)
            .build();
    JsonObject mounted = spec;
    for (String list : List.of("initContainers", "containers")) {
      mounted = mountInAll(mounted, list, mount);
    }
    boolean needed = !mounted.equals(spec);
    return needed && existing.isEmpty()
        ? mounted.with("volumes", mounted.array("volumes").append(volume(name)))
        : mounted;
  }

  private static JsonObject mountInAll(JsonObject spec, String list, JsonObject mount) {
    if (!spec.has(list)) {
      return spec;
    }
    return spec.with(list, spec.array(list).mapObjects(container -> mounted(container, mount)));
  }

  private static JsonObject mounted(JsonObject container, JsonObject mount) {
    JsonArray mounts = container.array("volumeMounts");
    boolean taken =
        mounts.objects().stream().anyMatch(m -> m.text("mountPath", "").equals(MOUNT_PATH));
    return taken ? container : container.with("volumeMounts", mounts.append(mount));
  }

  private static String drawName(RandomGenerator random) {
    StringBuilder name = new StringBuilder(NAME_PREFIX);
    for (int i = 0; i < RANDOM_LENGTH; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  private static JsonObject volume(String name) {
    JsonObject token =
        new JsonObject.Builder()
            .put("expirationSeconds", EXPIRATION_SECONDS)
            .put("path", "token")
            .build();
    JsonObject certificate =
        new JsonObject.Builder()
            .put("name", "kube-root-ca.crt")
            .put(
                "items",
                JsonArray.of(
                    new JsonObject.Builder().put("key", "ca.crt").put("path", "ca.crt").build()))
            .build();
    JsonObject namespace =
        new JsonObject.Builder()
            .put("path", "namespace")
            .put(
                "fieldRef",
                new JsonObject.Builder()
                    .put("apiVersion", "v1")
                    .put("fieldPath", "metadata.namespace")
                    .build())
            .build();
    JsonArray sources =
        JsonArray.of(
            JsonObject.of("serviceAccountToken", token),
            JsonObject.of("configMap", certificate),
            JsonObject.of("downwardAPI", JsonObject.of("items", JsonArray.of(namespace))));
    return new JsonObject.Builder()
        .put("name", name)
        .put(
            "projected",
            new JsonObject.Builder().put("sources", sources).put("defaultMode", MODE).build())
        .build();
  }
}
