package dev.berth.controllers.persistentvolume;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.ClaimAction;
import dev.berth.policy.persistentvolume.ClaimDecision;
import dev.berth.policy.persistentvolume.DefaultClass;
import dev.berth.policy.persistentvolume.Notice;
import dev.berth.policy.persistentvolume.VolumeAction;
import dev.berth.policy.persistentvolume.VolumeDecision;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds claims to volumes, has volumes made for those that find none, and sees to volumes whose
 * claims are gone; {@link ClaimDecision} and {@link VolumeDecision} say what is to be done.
 *
 * <p>A claim names its volume only after the volume has named the claim, by its UID, and the server
 * lets only one claim be first. All else is mended by reconciling again: nothing that this
 * controller knows is durable, and it may end at any point.
 *
 * <p>One loop owns everything it knows. Claims and volumes wait in one queue: those are in a
 * namespace, these are not. What claims wait for wakes them; nothing is reconciled for no reason.
 */
public final class VolumeBinder implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "persistent-volume-binder";

  private static final String REPORTER = "persistentvolume-controller";
  private static final int AT_ONCE = 16;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Set<Integer> PASSING = Set.of(404, 409);

  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests bounded;
  private final VolumeRequests requests;
  private final Notices notices;
  private final Consumer<String> warnings;
  private final KnownVolumes volumes = new KnownVolumes();
  private final KnownClaims claims = new KnownClaims();
  private final Map<String, StorageClassView> classes = new HashMap<>();
  private final UnscheduledPods pods = new UnscheduledPods(this::podsChanged);

  private VolumeBinder(ControllerParts parts) {
    Api api = parts.api();
    Time time = parts.time();
    loop = time.start(REPORTER);
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "claims_and_volumes", AT_ONCE, this::reconcile);
    bounded = new BoundedRequests(loop, AT_ONCE);
    requests = new VolumeRequests(api);
    notices = new Notices(EventRecorder.counting(api, loop, time, REPORTER), time);
    informers = new InformerSet(parts.informers(), loop, this::synced, warnings);
    informers
        .on(Resources.PERSISTENT_VOLUMES, this::volumeChanged)
        .on(Resources.PERSISTENT_VOLUME_CLAIMS, this::claimChanged)
        .on(Resources.STORAGE_CLASSES, this::classChanged)
        .on(Resources.PODS, pods::changed);
  }

  public static VolumeBinder start(ControllerParts parts) {
    VolumeBinder controller = new VolumeBinder(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    volumes.all().forEach(volume -> queue.add(ObjectName.of(volume.name())));
    claims.all().forEach(queue::add);
  }

  private void touch(ObjectName name) {
    if (informers.isSynced()) {
      queue.add(name);
    }
  }

  private void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    String name = Metadata.of(told).name();
    Optional<PersistentVolumeView> was = volumes.get(name);
    volumes.changed(before, after);
    if (after == null) {
      notices.forget(told);
    }
    touch(ObjectName.of(name));
    Optional<PersistentVolumeView> is = volumes.get(name);
    was.map(PersistentVolumeView::claim).ifPresent(this::touch);
    is.map(PersistentVolumeView::claim).ifPresent(this::touch);
    claims.naming(name).forEach(this::touch);
    is.ifPresent(this::offer);
  }

  /** A volume that nobody has wakes the claims that it may be for. */
  private void offer(PersistentVolumeView volume) {
    StorageClassView storageClass = classes.get(volume.storageClass());
    boolean isForScheduler = storageClass != null && storageClass.waitsForConsumer();
    if (volume.isFree() && !isForScheduler) {
      claims.openOf(volume.storageClass()).forEach(this::touch);
    }
  }

  private void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    claims.changed(before, after);
    if (after == null) {
      notices.forget(told);
    }
    touch(ObjectName.of(told));
    for (PersistentVolumeView volume : volumes.promisedTo(ObjectName.of(told))) {
      touch(ObjectName.of(volume.name()));
    }
  }

  private void classChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      StorageClassView now = StorageClassView.read(after);
      classes.put(now.name(), now);
      claims.openOf(now.name()).forEach(this::touch);
      if (now.isDefault()) {
        claims.openOf("").forEach(this::touch);
      }
    } else if (before != null) {
      String name = Metadata.of(before).name();
      classes.remove(name);
      claims.openOf(name).forEach(this::touch);
    }
  }

  /** A claim that waits for a pod says which. */
  private void podsChanged(ObjectName claim) {
    if (claims.get(claim).map(PersistentVolumeClaimView::isOpen).orElse(false)) {
      touch(claim);
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    if (name.namespace().isEmpty()) {
      volumes.get(name.name()).ifPresentOrElse(v -> reconcile(v, item), item::succeeded);
    } else {
      claims.get(name).ifPresentOrElse(c -> reconcile(c, item), item::succeeded);
    }
  }

  private void reconcile(PersistentVolumeClaimView claim, WorkQueue.Item item) {
    ClaimDecision.Snapshot snapshot =
        new ClaimDecision.Snapshot(
            volumes.get(claim.volume()),
            volumes.promisedTo(claim.name()),
            volumes.freeOf(claim.storageClass()),
            Optional.ofNullable(classes.get(claim.storageClass())),
            DefaultClass.of(classes.values()),
            pods.of(claim.name()));
    switch (ClaimDecision.decide(claim, snapshot)) {
      case ClaimAction.Bind(PersistentVolumeView volume) -> bind(claim, volume, item);
      case ClaimAction.AssignClass(String name) ->
          run(claim.tree(), () -> requests.assignClass(claim, name), item);
      case ClaimAction.Provision(StorageClassView storageClass) ->
          run(claim.tree(), () -> requests.provision(claim, storageClass), item);
      case ClaimAction.AskProvisioner(StorageClassView storageClass, Notice notice) -> {
        wait(claim, notice);
        run(claim.tree(), () -> requests.ask(claim, storageClass), item);
      }
      case ClaimAction.Settle(String phase, @Nullable Notice notice) -> {
        if (phase.equals(PersistentVolumeClaimView.LOST) && notice != null) {
          run(claim.tree(), () -> requests.lose(claim, notice), item);
          return;
        }
        wait(claim, notice);
        run(claim.tree(), () -> requests.settle(claim, phase), item);
      }
    }
  }

  /** What a claim waits for may be forgotten before it comes; then it is said again. */
  private void wait(PersistentVolumeClaimView claim, @Nullable Notice notice) {
    notices.waits(claim.tree(), notice);
    if (notice != null && !claim.phase().equals(PersistentVolumeClaimView.LOST)) {
      queue.addAfter(claim.name(), Notices.AGAIN);
    }
  }

  private void bind(
      PersistentVolumeClaimView claim, PersistentVolumeView volume, WorkQueue.Item item) {
    if (volumes.isReserved(volume.name())) {
      // This volume is being reconciled; its end wakes the claims that name it.
      item.failed();
      return;
    }
    volumes.reserve(volume.name());
    notices.waits(claim.tree(), null);
    bounded.run(
        () -> requests.bind(volume, claim),
        written -> {
          volumes.giveBack(volume.name());
          end(claim.tree(), written, item);
          addLater(volume.name(), written);
        });
  }

  /**
   * The volume was left alone meanwhile. If the binding failed, it is not reconciled right away: it
   * would send its claim back at once, which is to wait.
   */
  private void addLater(String volume, Written written) {
    if (written.failure() == null) {
      queue.add(ObjectName.of(volume));
    } else {
      queue.addAfter(ObjectName.of(volume), AFTER_FAILURE);
    }
  }

  private void reconcile(PersistentVolumeView volume, WorkQueue.Item item) {
    if (volumes.isReserved(volume.name())) {
      item.succeeded();
      return;
    }
    ObjectName name = volume.claim();
    Optional<PersistentVolumeClaimView> claim = name == null ? Optional.empty() : claims.get(name);
    switch (VolumeDecision.decide(volume, claim)) {
      case VolumeAction.SetPhase(String phase) ->
          run(volume.tree(), () -> requests.setPhase(volume, phase), item);
      case VolumeAction.ReconcileClaim _ -> {
        claim.ifPresent(c -> touch(c.name()));
        item.succeeded();
      }
      case VolumeAction.Mismatch(Notice ofVolume, Notice ofClaim) -> {
        if (notices.isNews(volume.tree(), ofVolume)) {
          notices.waits(volume.tree(), ofVolume);
          claim.ifPresent(c -> notices.tell(c.tree(), ofClaim));
        }
        item.succeeded();
      }
      case VolumeAction.Unbind _ -> run(volume.tree(), () -> requests.unbind(volume), item);
      case VolumeAction.Release(VolumeAction.Reclaim then) ->
          run(volume.tree(), () -> requests.release(volume, then), item);
    }
  }

  private void run(JsonObject about, Supplier<Written> request, WorkQueue.Item item) {
    bounded.run(request, written -> end(about, written, item));
  }

  private void end(JsonObject about, Written written, WorkQueue.Item item) {
    for (JsonObject object : written.objects()) {
      if (Metadata.of(object).namespace().isEmpty()) {
        volumes.written(object);
      } else {
        claims.written(object);
      }
    }
    Notice notice = written.notice();
    if (notice != null) {
      notices.waits(about, notice);
    }
    ApiResult.Failure why = written.failure();
    if (why == null) {
      if (written.isToBeTriedAgain()) {
        item.failed();
      } else {
        item.succeeded();
      }
      return;
    }
    boolean passing = why instanceof ApiResult.Refused(var error) && PASSING.contains(error.code());
    if (!passing) {
      warnings.accept(
          "cannot write what %s %s asks for, and tries again: %s"
              .formatted(about.text("kind", "object"), ObjectName.of(about), why.message()));
    }
    item.failed();
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
