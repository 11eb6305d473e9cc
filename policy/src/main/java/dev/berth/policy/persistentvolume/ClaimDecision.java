package dev.berth.policy.persistentvolume;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.policy.persistentvolume.ClaimAction.AskProvisioner;
import dev.berth.policy.persistentvolume.ClaimAction.AssignClass;
import dev.berth.policy.persistentvolume.ClaimAction.Bind;
import dev.berth.policy.persistentvolume.ClaimAction.Provision;
import dev.berth.policy.persistentvolume.ClaimAction.Settle;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is to be done about a claim.
 *
 * <ol>
 *   <li>A claim that was bound stays with its volume: if that is unbound or bound to it, what is
 *       missing is written; if it is gone or another's, the claim is lost.
 *   <li>A claim that names a volume gets it if it is free and fits, or reserved for it; otherwise
 *       it waits.
 *   <li>Any other claim gets the volume that {@link VolumeMatch} finds.
 *   <li>If there is none, and it does not say which class it wants, it gets the default class.
 *   <li>If its class waits for a pod, so does it, until the scheduler has selected a node.
 *   <li>Then its class's provisioner makes a volume. Unlike upstream, none is made for a claim that
 *       is being deleted.
 * </ol>
 */
public final class ClaimDecision {
  private static final String IN_TREE = "kubernetes.io/";
  private static final String FAILED_BINDING = "FailedBinding";
  private static final String PROVISIONING_FAILED = "ProvisioningFailed";

  /**
   * What the decision about a claim depends on.
   *
   * @param named the volume that the claim names
   * @param prebound volumes that are reserved for claims of its name
   * @param free volumes of its class that may be free, in {@link VolumeMatch#ORDER}
   * @param storageClass the class that it names
   * @param byDefault the class of claims that name none
   * @param unscheduled pods that use it and have no node yet
   */
  public record Snapshot(
      Optional<PersistentVolumeView> named,
      Collection<PersistentVolumeView> prebound,
      Collection<PersistentVolumeView> free,
      Optional<StorageClassView> storageClass,
      Optional<StorageClassView> byDefault,
      List<String> unscheduled) {
    /** Nothing at all. */
    public static final Snapshot EMPTY =
        new Snapshot(
            Optional.empty(), List.of(), List.of(), Optional.empty(), Optional.empty(), List.of());
  }

  private ClaimDecision() {}

  public static ClaimAction decide(PersistentVolumeClaimView claim, Snapshot snapshot) {
    if (claim.bindCompleted()) {
      return bound(claim, snapshot.named());
    }
    return claim.volume().isEmpty() ? open(claim, snapshot) : naming(claim, snapshot.named());
  }

  private static ClaimAction bound(
      PersistentVolumeClaimView claim, Optional<PersistentVolumeView> named) {
    if (claim.volume().isEmpty()) {
      return lost(
          "ClaimLost",
          "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
    }
    if (named.isEmpty()) {
      return lost(
          "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    }
    PersistentVolumeView volume = named.get();
    return volume.claim() == null || volume.claimUid().equals(claim.uid())
        ? new Bind(volume)
        : lost(
            "ClaimMisbound",
            "Two claims are bound to the same volume, this one is bound incorrectly");
  }

  private static Settle lost(String reason, String message) {
    return new Settle(PersistentVolumeClaimView.LOST, Notice.warning(reason, message));
  }

  private static ClaimAction naming(
      PersistentVolumeClaimView claim, Optional<PersistentVolumeView> named) {
    if (named.isEmpty()) {
      return pending(null);
    }
    PersistentVolumeView volume = named.get();
    if (volume.isFor(claim)) {
      return new Bind(volume);
    }
    if (volume.claim() != null) {
      return pending(
          Notice.warning(
              FAILED_BINDING,
              "volume \"%s\" already bound to a different claim.".formatted(volume.name())));
    }
    String problem = VolumeMatch.problem(claim, volume);
    return problem.isEmpty()
        ? new Bind(volume)
        : pending(
            Notice.warning(
                "VolumeMismatch",
                "Cannot bind to requested volume \"%s\": %s".formatted(volume.name(), problem)));
  }

  private static ClaimAction open(PersistentVolumeClaimView claim, Snapshot snapshot) {
    boolean waits = snapshot.storageClass().map(StorageClassView::waitsForConsumer).orElse(false);
    Optional<PersistentVolumeView> match = VolumeMatch.prebound(claim, snapshot.prebound());
    if (match.isEmpty() && !waits && !claim.terminating()) {
      match = VolumeMatch.free(claim, snapshot.free());
    }
    if (match.isPresent()) {
      return new Bind(match.get());
    }
    if (claim.terminating()) {
      return pending(null);
    }
    if (!claim.hasClass() && snapshot.byDefault().isPresent()) {
      return new AssignClass(snapshot.byDefault().get().name());
    }
    if (waits && claim.selectedNode().isEmpty()) {
      return pending(waiting(snapshot.unscheduled()));
    }
    if (claim.storageClass().isEmpty()) {
      return pending(
          Notice.normal(
              FAILED_BINDING,
              "no persistent volumes available for this claim and no storage class is set"));
    }
    return snapshot
        .storageClass()
        .map(storageClass -> provision(claim, storageClass))
        .orElseGet(() ->
            failed("storageclass.storage.k8s.io \"%s\" not found".formatted(claim.storageClass())));
  }

  private static Notice waiting(List<String> pods) {
    return switch (pods.size()) {
      case 0 ->
          Notice.normal(
              "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
      case 1 ->
          Notice.normal(
              "WaitForPodScheduled", "waiting for pod " + pods.getFirst() + " to be scheduled");
      default ->
          Notice.normal(
              "WaitForPodScheduled",
              "waiting for pods " + String.join(",", pods) + " to be scheduled");
    };
  }

  private static ClaimAction provision(
      PersistentVolumeClaimView claim, StorageClassView storageClass) {
    String provisioner = storageClass.provisioner();
    if (provisioner.equals(LocalDirectory.PROVISIONER)) {
      return LocalDirectory.problem(claim, storageClass)
          .<ClaimAction>map(problem -> failed(LocalDirectory.message(storageClass, problem)))
          .orElseGet(() -> new Provision(storageClass));
    }
    return provisioner.startsWith(IN_TREE)
        ? failed("no volume plugin matched name: " + provisioner)
        : new AskProvisioner(
            storageClass,
            Notice.normal(
                "ExternalProvisioning",
                ("Waiting for a volume to be created either by the external provisioner '%s' or"
                        + " manually by the system administrator. If volume creation is delayed,"
                        + " please verify that the provisioner is running and correctly"
                        + " registered.")
                    .formatted(provisioner)));
  }

  private static Settle failed(String message) {
    return pending(Notice.warning(PROVISIONING_FAILED, message));
  }

  private static Settle pending(@Nullable Notice notice) {
    return new Settle(PersistentVolumeClaimView.PENDING, notice);
  }
}
