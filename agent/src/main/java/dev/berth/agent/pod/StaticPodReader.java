package dev.berth.agent.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Makes static pods of what a file or an address says: a pod, or a list of them, as YAML or JSON.
 *
 * <ul>
 *   <li>Its uid is a hash of what it says and where it was found, so that a pod that is edited is
 *       another one.
 *   <li>Its name ends with the node's.
 *   <li>No NoExecute taint ends it: who put the file there wants it to run.
 * </ul>
 *
 * @param source {@code file} or {@code http}
 */
record StaticPodReader(String source, String node) {

  /** What was found cannot be a pod. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  /**
   * Reads the pods that stand somewhere.
   *
   * @param place the path or the address
   */
  List<JsonObject> read(byte[] content, String place, Instant now) throws Malformed {
    try {
      if (!(YamlReader.value(content, JsonLimits.REQUEST, _ -> {}) instanceof JsonObject read)) {
        throw new Malformed("it is no pod");
      }
      List<JsonObject> items =
          read.text("kind", "").equals("PodList") ? read.array("items").objects() : List.of(read);
      List<JsonObject> pods = new ArrayList<>();
      for (JsonObject item : items) {
        pods.add(complete(item, place, now));
      }
      return pods;
    } catch (YamlException | JsonException e) {
      throw new Malformed(String.valueOf(e.getMessage()));
    }
  }

  private JsonObject complete(JsonObject pod, String place, Instant now) throws Malformed {
    Metadata metadata = Metadata.of(pod);
    if (!pod.text("kind", "Pod").equals("Pod") || metadata.name().isEmpty()) {
      throw new Malformed("it is no pod with a name");
    }
    if (pod.object("spec").array("containers").isEmpty()) {
      throw new Malformed("spec.containers: Required value");
    }
    if (!isAlone(pod)) {
      throw new Malformed(
          "static pods may not reference config maps, secrets, claims or service accounts");
    }
    String uid = hash(pod, place);
    JsonObject annotations =
        metadata
            .annotations()
            .with(WellKnownAnnotations.CONFIG_HASH, uid)
            .with(WellKnownAnnotations.CONFIG_SOURCE, source)
            .with(WellKnownAnnotations.CONFIG_SEEN, Times.formatMicro(now));
    JsonObject completed =
        metadata
            .tree()
            .with("name", metadata.name() + "-" + node.toLowerCase(Locale.ROOT))
            .with("namespace", metadata.namespace().isEmpty() ? "default" : metadata.namespace())
            .with("uid", uid)
            .with("creationTimestamp", Times.format(now))
            .with("annotations", annotations);
    JsonObject toleration =
        new JsonObject.Builder()
            .put("operator", "Exists")
            .put("effect", TaintEffect.NO_EXECUTE.text())
            .build();
    JsonArray tolerations = pod.object("spec").array("tolerations").append(toleration);
    return pod.with("apiVersion", "v1")
        .with("kind", "Pod")
        .with("metadata", completed)
        .with("spec", pod.object("spec").with("nodeName", node).with("tolerations", tolerations))
        .with("status", JsonObject.EMPTY);
  }

  /** What a static pod uses must be there without a server. */
  private static boolean isAlone(JsonObject pod) {
    PodReferences uses = PodReferences.of(pod);
    return pod.object("spec").text("serviceAccountName", "").isEmpty()
        && uses.secrets().isEmpty()
        && uses.configMaps().isEmpty()
        && uses.claims().isEmpty()
        && uses.resourceClaims().isEmpty();
  }

  private String hash(JsonObject pod, String place) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(JsonWriter.toText(pod).getBytes(UTF_8));
      digest.update(("host:" + node + source + ":" + place).getBytes(UTF_8));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Java without MD5", e);
    }
  }
}
