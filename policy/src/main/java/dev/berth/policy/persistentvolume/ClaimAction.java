package dev.berth.policy.persistentvolume;

import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import org.jspecify.annotations.Nullable;

/** What is to be done about a claim. */
public sealed interface ClaimAction {

  /** It is bound to a volume: whatever is missing of the binding is written, the volume first. */
  record Bind(PersistentVolumeView volume) implements ClaimAction {}

  /** It gets the default class, and is reconciled again. */
  record AssignClass(String storageClass) implements ClaimAction {}

  /** A directory is made for it. */
  record Provision(StorageClassView storageClass) implements ClaimAction {}

  /** An external provisioner is asked to make a volume for it. */
  record AskProvisioner(StorageClassView storageClass, Notice notice) implements ClaimAction {}

  /**
   * It has no volume.
   *
   * @param phase why: it waits for one, or has lost it
   * @param notice null if no event is needed
   */
  record Settle(String phase, @Nullable Notice notice) implements ClaimAction {}
}
