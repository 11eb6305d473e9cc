package dev.berth.policy.history;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod template as kube-controller-manager writes it: fields in the order of their names, those
 * left out that Go's types leave out when they are zero, and those written that they always write.
 * Two templates that mean the same have one such form, and its bytes are upstream's, who knows a
 * template's revision by its bytes and would replace all pods for a difference in one.
 */
public final class CanonicalTemplate {
  /** Keys that users chose: what is under them is data. */
  private static final Set<String> MAPS =
      Set.of(
          "annotations",
          "labels",
          "limits",
          "matchLabels",
          "nodeSelector",
          "options",
          "overhead",
          "requests",
          "userAnnotations",
          "volumeAttributes");

  /** What zero means nothing in: "", 0 or false. In all others it means itself. */
  private static final Set<String> OMITTED_WHEN_ZERO =
      Set.of(
          ("action apiVersion audience certificateChainPath chapAuthDiscovery chapAuthSession"
                  + " containerName credentialBundlePath datasetName datasetUUID directory"
                  + " dnsPolicy effect failureThreshold fsType generateName generation group host"
                  + " hostIP hostIPC hostNetwork hostPID hostPort hostname image imagePullPolicy"
                  + " initialDelaySeconds iscsiInterface key keyPath keyType keyring level medium"
                  + " name namespace nodeName operator partition path periodSeconds pool prefix"
                  + " priorityClassName protectionDomain protocol pullPolicy readOnly reference"
                  + " request resourceVersion restartPolicy revision role schedulerName scheme"
                  + " secretFile secretName selfLink serviceAccount serviceAccountName signerName"
                  + " sslEnabled stdin stdinOnce storageMode storagePolicyID storagePolicyName"
                  + " storagePool subPath subPathExpr subdomain successThreshold"
                  + " targetContainerName tenant terminationMessagePath terminationMessagePolicy"
                  + " timeoutSeconds tty type uid user value volumeName volumeNamespace workingDir")
              .split(" "));

  /** Where one of these names means something with zero, by the name of what it is in. */
  private static final Map<String, Set<String>> MEANT =
      Map.of(
          "azureDisk", Set.of("fsType", "readOnly"),
          "csi", Set.of("fsType", "readOnly"),
          "dataSourceRef", Set.of("namespace"),
          "hostPath", Set.of("type"),
          "httpHeaders", Set.of("value"),
          "options", Set.of("value"),
          "sysctls", Set.of("value"));

  private static final JsonObject METADATA = JsonObject.of("metadata", JsonObject.EMPTY);
  private static final JsonObject RESOURCES = JsonObject.of("resources", JsonObject.EMPTY);
  private static final JsonObject API_GROUP = JsonObject.of("apiGroup", JsonNull.NULL);

  /** What is written even if nobody set it, by the name of what it is in. */
  private static final Map<String, JsonObject> ALWAYS =
      Map.of(
          "containers", RESOURCES,
          "initContainers", RESOURCES,
          "template", METADATA.with("spec", JsonObject.EMPTY),
          "volumeClaimTemplate", METADATA,
          "volumeClaimTemplate.spec", RESOURCES,
          "resourceFieldRef", JsonObject.of("divisor", "0"),
          "dataSource", API_GROUP,
          "dataSourceRef", API_GROUP,
          "grpc", JsonObject.of("service", JsonNull.NULL));

  private CanonicalTemplate() {}

  /** The one form of a template. */
  public static JsonObject of(JsonObject template) {
    return object("template", template);
  }

  private static JsonObject object(String place, JsonObject object) {
    TreeMap<String, Object> sorted = new TreeMap<>();
    for (int i = 0; i < object.size(); i++) {
      Object value = field(place, object.name(i), object.value(i));
      if (value != null) {
        sorted.put(object.name(i), value);
      }
    }
    JsonObject always = ALWAYS.getOrDefault(place, JsonObject.EMPTY);
    for (int i = 0; i < always.size(); i++) {
      sorted.putIfAbsent(always.name(i), always.value(i));
    }
    return tree(sorted);
  }

  /** A field's value in that form; null if the field is left out. */
  private static @Nullable Object field(String place, String name, Object value) {
    return switch (value) {
      case JsonNull _ -> null;
      case JsonArray array when array.isEmpty() -> null;
      case JsonArray array -> elements(name, array);
      case JsonObject map when MAPS.contains(name) -> map.isEmpty() ? null : sortedMap(map);
      case JsonObject object -> object(placeOf(place, name), object);
      case Object scalar -> isOmitted(place, name, scalar) ? null : scalar;
    };
  }

  /** A claim's specification is told from others, which have no resources of their own. */
  private static String placeOf(String place, String name) {
    return place.equals("volumeClaimTemplate") ? place + "." + name : name;
  }

  private static JsonArray elements(String place, JsonArray array) {
    List<Object> values =
        array.values().stream()
            .map(value -> value instanceof JsonObject o ? object(place, o) : value)
            .toList();
    return JsonArray.copyOf(values);
  }

  private static JsonObject sortedMap(JsonObject map) {
    TreeMap<String, Object> sorted = new TreeMap<>();
    for (int i = 0; i < map.size(); i++) {
      sorted.put(map.name(i), map.value(i));
    }
    return tree(sorted);
  }

  private static JsonObject tree(Map<String, Object> sorted) {
    JsonObject.Builder builder = new JsonObject.Builder();
    sorted.forEach(builder::put);
    return builder.build();
  }

  private static boolean isOmitted(String place, String name, Object scalar) {
    boolean isZero = scalar.equals("") || scalar.equals(0L) || scalar.equals(false);
    return isZero
        && OMITTED_WHEN_ZERO.contains(name)
        && !MEANT.getOrDefault(place, Set.of()).contains(name);
  }
}
