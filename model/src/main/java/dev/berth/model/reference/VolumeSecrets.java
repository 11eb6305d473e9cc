package dev.berth.model.reference;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The secrets that a node needs for a PersistentVolume; those for controllers are not meant. */
public final class VolumeSecrets {
  /** Kinds of volumes, and their fields that refer to a secret. */
  private static final Map<String, List<String>> REFERENCES =
      Map.of(
          "cephfs", List.of("secretRef"),
          "cinder", List.of("secretRef"),
          "flexVolume", List.of("secretRef"),
          "rbd", List.of("secretRef"),
          "scaleIO", List.of("secretRef"),
          "iscsi", List.of("secretRef"),
          "storageos", List.of("secretRef"),
          "csi", List.of("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef"));

  private VolumeSecrets() {}

  /** Those of a volume with a claim: a reference without a namespace means the claim's. */
  public static List<ObjectName> forNodes(JsonObject volume) {
    JsonObject spec = volume.object("spec");
    String claimNamespace = spec.object("claimRef").text("namespace", "");
    List<ObjectName> secrets = new ArrayList<>();
    JsonObject azure = spec.object("azureFile");
    add(secrets, azure.text("secretNamespace", ""), azure.text("secretName", ""), claimNamespace);
    REFERENCES.forEach((kind, fields) -> {
      for (String field : fields) {
        JsonObject reference = spec.object(kind).object(field);
        add(secrets, reference.text("namespace", ""), reference.text("name", ""), claimNamespace);
      }
    });
    return secrets;
  }

  private static void add(
      List<ObjectName> secrets, String namespace, String name, String otherwise) {
    if (!name.isEmpty()) {
      secrets.add(new ObjectName(namespace.isEmpty() ? otherwise : namespace, name));
    }
  }
}
