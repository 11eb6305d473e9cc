package dev.berth.policy.attachment;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import dev.berth.policy.attachment.AttachAction.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which nodes a volume is attached to and detached from.
 *
 * <ol>
 *   <li>It is attached where a pod needs it. One that is exclusive is attached to one node at a
 *       time: while there is an attachment to another, even one that is leaving, it waits. Of
 *       several nodes that want it, the one with the oldest pod gets it.
 *   <li>It is detached where no pod needs it any more, and the node says that it does not use it. A
 *       pod that is terminating needs it until its end is known.
 *   <li>If the node says that it does, that is waited for. It is detached by force if the node is
 *       not ready and has been waited for for too long ({@code 6m} upstream, unless {@code
 *       --disable-force-detach-on-timeout} says otherwise), and at once if it is not ready and out
 *       of service. From a node that is ready nothing is taken by force. Upstream does that if such
 *       a node is marked out of service; here pods are not deleted by force there either.
 *   <li>A node that no longer exists uses nothing; its pods keep the volume until they are
 *       collected.
 *   <li>A node that does not leave this to the controller is left alone.
 *   <li>Where a pod waits because another node has the volume and keeps it for now, an event says
 *       so.
 * </ol>
 */
public final class AttachDecision {
  private final boolean exclusive;
  private final List<VolumePlace> places;
  private final Optional<Duration> maxWaitForUnmount;
  private final boolean heedsOutOfService;
  private final Instant now;
  private final List<AttachAction> actions = new ArrayList<>();

  /** The nodes whose attachments are on their way out. */
  private final Set<String> leaving = new HashSet<>();

  private AttachDecision(
      boolean exclusive,
      List<VolumePlace> places,
      Optional<Duration> maxWaitForUnmount,
      boolean heedsOutOfService,
      Instant now) {
    this.exclusive = exclusive;
    this.places = places;
    this.maxWaitForUnmount = maxWaitForUnmount;
    this.heedsOutOfService = heedsOutOfService;
    this.now = now;
  }

  /**
   * Decides about one volume.
   *
   * @param places each node that has it or wants it, once
   * @param maxWaitForUnmount how long a node that is not ready is waited for; forever if empty
   * @param heedsOutOfService whether one that is out of service is not waited for
   */
  public static List<AttachAction> decide(
      boolean exclusive,
      List<VolumePlace> places,
      Optional<Duration> maxWaitForUnmount,
      boolean heedsOutOfService,
      Instant now) {
    AttachDecision decision =
        new AttachDecision(exclusive, places, maxWaitForUnmount, heedsOutOfService, now);
    places.forEach(decision::detach);
    decision.attach();
    return List.copyOf(decision.actions);
  }

  private void detach(VolumePlace place) {
    VolumeAttachmentView attachment = place.attachment();
    if (attachment == null || place.isLeftAlone()) {
      return;
    }
    if (attachment.terminating()) {
      leaving.add(place.node());
    } else if (!place.isNeeded()) {
      Optional<Reason> reason = reason(place);
      if (reason.isPresent()) {
        leaving.add(place.node());
        actions.add(new AttachAction.Detach(place.node(), attachment, reason.get()));
      } else {
        boolean isReady = place.state() != null && place.state().ready();
        Instant until = isReady ? Instant.MAX : expiry(place);
        actions.add(new AttachAction.AwaitUnmount(place.node(), until));
      }
    }
  }

  private Optional<Reason> reason(VolumePlace place) {
    NodeVolumes state = place.state();
    if (!place.isInUse() || state == null) {
      return Optional.of(Reason.UNUSED);
    }
    if (state.ready()) {
      return Optional.empty();
    }
    if (!now.isBefore(expiry(place))) {
      return Optional.of(Reason.TIMEOUT);
    }
    return heedsOutOfService && state.outOfService()
        ? Optional.of(Reason.OUT_OF_SERVICE)
        : Optional.empty();
  }

  private Instant expiry(VolumePlace place) {
    return maxWaitForUnmount.map(place.unneededSince()::plus).orElse(Instant.MAX);
  }

  private void attach() {
    List<VolumePlace> wanting =
        places.stream()
            .filter(place -> place.canBeAttached() && place.attachment() == null)
            .sorted(Comparator.comparing(place -> place.pods().getFirst(), VolumePlace.Use.OLDEST))
            .toList();
    List<VolumePlace> holders = places.stream().filter(p -> p.attachment() != null).toList();
    if (!exclusive) {
      wanting.forEach(place -> actions.add(new AttachAction.Attach(place.node())));
    } else if (holders.isEmpty()) {
      wanting.stream()
          .limit(1)
          .forEach(place -> actions.add(new AttachAction.Attach(place.node())));
    } else if (holders.stream().anyMatch(this::keeps)) {
      List<ObjectName> users =
          holders.stream()
              .flatMap(place -> place.pods().stream())
              .map(VolumePlace.Use::pod)
              .toList();
      wanting.forEach(place -> actions.add(new AttachAction.Refuse(place.node(), users)));
    }
  }

  private boolean keeps(VolumePlace holder) {
    return Objects.requireNonNull(holder.attachment()).attached()
        && !leaving.contains(holder.node());
  }
}
