package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * A storage class as those see it who bind claims.
 *
 * @param waitsForConsumer whether claims are bound when a pod is placed that uses them
 * @param isDefault whether claims that name no class get this one
 */
public record StorageClass(
    String name,
    JsonObject tree,
    String provisioner,
    boolean waitsForConsumer,
    boolean isDefault,
    Instant created) {
  private static final String BETA_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class";

  /** Of several defaults the newest counts, and of those of the same second the first by name. */
  private static final Comparator<StorageClass> NEWEST =
      Comparator.comparing(StorageClass::created).reversed().thenComparing(StorageClass::name);

  public static StorageClass read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    return new StorageClass(
        metadata.name(),
        tree,
        tree.text("provisioner", ""),
        tree.text("volumeBindingMode", "").equals("WaitForFirstConsumer"),
        annotations.text(WellKnownAnnotations.DEFAULT_STORAGE_CLASS, "").equals("true")
            || annotations.text(BETA_DEFAULT, "").equals("true"),
        metadata.creationTimestamp().orElse(Instant.EPOCH));
  }

  /** The class of claims that name none. */
  public static Optional<StorageClass> defaultOf(Collection<StorageClass> classes) {
    return classes.stream().filter(StorageClass::isDefault).min(NEWEST);
  }
}
