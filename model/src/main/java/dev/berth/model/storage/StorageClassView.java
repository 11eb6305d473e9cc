package dev.berth.model.storage;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * A StorageClass as those see it who bind claims and make volumes.
 *
 * @param waitsForConsumer whether claims are bound when a pod is placed that uses them
 * @param isDefault whether claims that name no class get this one
 * @param parameters what the class tells its provisioner, as the tree has it
 */
public record StorageClassView(
    String name,
    String provisioner,
    boolean waitsForConsumer,
    boolean isDefault,
    Instant created,
    String reclaimPolicy,
    List<String> mountOptions,
    JsonObject parameters) {
  private static final String BETA_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class";

  public static StorageClassView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    return new StorageClassView(
        metadata.name(),
        tree.text("provisioner", ""),
        tree.text("volumeBindingMode", "").equals("WaitForFirstConsumer"),
        annotations.text(WellKnownAnnotations.DEFAULT_STORAGE_CLASS, "").equals("true")
            || annotations.text(BETA_DEFAULT, "").equals("true"),
        metadata.creationTimestamp().orElse(Instant.EPOCH),
        tree.text("reclaimPolicy", "Delete"),
        List.copyOf(tree.array("mountOptions").texts()),
        tree.object("parameters"));
  }

  /** A parameter, or what it is if the class does not set it. */
  public String parameter(String name, String whenAbsent) {
    return parameters.text(name, whenAbsent);
  }
}
