package dev.berth.model.reference;

import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects of its namespace that a pod uses, by their names: what a node has to read in order to
 * run it. Containers are those of all kinds, ephemeral ones too. Names that are empty are left out.
 *
 * @param serviceAccount empty if it has none
 * @param resourceClaims those that are there; one that is made from a template is known once the
 *     pod's status names it
 */
public record PodReferences(
    String serviceAccount,
    Set<String> secrets,
    Set<String> configMaps,
    Set<String> claims,
    Set<String> resourceClaims) {

  /** What a pod uses that uses nothing. */
  public static final PodReferences NONE =
      new PodReferences("", Set.of(), Set.of(), Set.of(), Set.of());

  /** The lists of a pod's containers. */
  public static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** Kinds of volumes that name a secret, and the field that holds the reference. */
  private static final Map<String, String> SECRET_REFERENCES =
      Map.of(
          "cephfs", "secretRef",
          "cinder", "secretRef",
          "flexVolume", "secretRef",
          "rbd", "secretRef",
          "scaleIO", "secretRef",
          "iscsi", "secretRef",
          "storageos", "secretRef",
          "csi", "nodePublishSecretRef");

  public static PodReferences of(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    Set<String> secrets = new LinkedHashSet<>();
    Set<String> configMaps = new LinkedHashSet<>();
    spec.array("imagePullSecrets").objects().forEach(pull -> add(secrets, pull, "name"));
    for (String list : CONTAINER_LISTS) {
      for (JsonObject container : spec.array(list).objects()) {
        readContainer(container, secrets, configMaps);
      }
    }
    for (JsonObject volume : spec.array("volumes").objects()) {
      readVolume(volume, secrets, configMaps);
    }
    Set<String> claims = new LinkedHashSet<>();
    PodClaim.of(pod).forEach(claim -> claims.add(claim.claim().name()));
    claims.remove("");
    return new PodReferences(
        spec.text("serviceAccountName", ""), secrets, configMaps, claims, resourceClaims(pod));
  }

  private static void add(Set<String> names, JsonObject reference, String field) {
    String name = reference.text(field, "");
    if (!name.isEmpty()) {
      names.add(name);
    }
  }

  private static void readContainer(
      JsonObject container, Set<String> secrets, Set<String> configMaps) {
    for (JsonObject source : container.array("envFrom").objects()) {
      add(secrets, source.object("secretRef"), "name");
      add(configMaps, source.object("configMapRef"), "name");
    }
    for (JsonObject variable : container.array("env").objects()) {
      JsonObject source = variable.object("valueFrom");
      add(secrets, source.object("secretKeyRef"), "name");
      add(configMaps, source.object("configMapKeyRef"), "name");
    }
  }

  private static void readVolume(JsonObject volume, Set<String> secrets, Set<String> configMaps) {
    add(secrets, volume.object("secret"), "secretName");
    add(secrets, volume.object("azureFile"), "secretName");
    add(configMaps, volume.object("configMap"), "name");
    SECRET_REFERENCES.forEach(
        (kind, field) -> add(secrets, volume.object(kind).object(field), "name"));
    for (JsonObject source : volume.object("projected").array("sources").objects()) {
      add(secrets, source.object("secret"), "name");
      add(configMaps, source.object("configMap"), "name");
    }
  }

  private static Set<String> resourceClaims(JsonObject pod) {
    JsonObject status = pod.object("status");
    Set<String> names = new LinkedHashSet<>();
    for (JsonObject claim : pod.object("spec").array("resourceClaims").objects()) {
      boolean made = claim.text("resourceClaimName", "").isEmpty();
      add(names, made ? made(status, claim.text("name", "")) : claim, "resourceClaimName");
    }
    add(names, status.object("extendedResourceClaimStatus"), "resourceClaimName");
    return names;
  }

  /** What the status says of the claim that was made from the template of a pod's claim. */
  private static JsonObject made(JsonObject status, String podClaim) {
    return status.array("resourceClaimStatuses").objects().stream()
        .filter(made -> made.text("name", "").equals(podClaim))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }
}
