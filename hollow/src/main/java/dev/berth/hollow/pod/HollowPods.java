package dev.berth.hollow.pod;

import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.hollow.node.HollowNode;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.podrun.PodAdmission;
import dev.berth.policy.podrun.RestartDelay;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.random.RandomGenerator;

/**
 * What nodes do with the pods that are bound to them.
 *
 * <pre>
 * NEW ──▶ STARTING ──▶ RUNNING ──▶ STOPPING ──▶ STOPPED ──▶ deleted
 *  └─ refused ──────────▶ FINISHED ◀── all containers ended, or stopped because of an eviction
 * </pre>
 *
 * <p>Containers start, crash and end whether a node is silent or not; deletions are noticed, and
 * status is posted, only while it is not. {@link #sync} may be called at any time.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class HollowPods {
  /** The status of a pod that starts sooner than this is not posted before it runs. */
  private static final Duration WORTH_POSTING = Duration.ofSeconds(1);

  /** No kernel parameter does harm to a node that runs nothing. */
  private static final List<String> ALL_SYSCTLS = List.of("*");

  private static final int KILLED = 137;
  private static final int CRASHED = 1;
  private static final double SECONDS_PER_HOUR = 3600;

  private final Time time;
  private final Loop loop;
  private final HollowSettings settings;
  private final PodStatusManager requests;
  private final PodMetrics metrics;
  private final RandomGenerator random;
  private final Listener listener;
  private final PodVolumes volumes;

  /** Learns what nodes did with pods. */
  public interface Listener {
    void refused(HollowPod pod, AdmissionRejection why);

    /** A pod that its node evicts has stopped. */
    void evicted(HollowPod pod);
  }

  public HollowPods(
      Time time,
      Loop loop,
      HollowSettings settings,
      PodStatusManager requests,
      PodMetrics metrics,
      PodVolumes volumes,
      Listener listener) {
    this.time = time;
    this.loop = loop;
    this.settings = settings;
    this.requests = requests;
    this.metrics = metrics;
    this.random = time.random("hollow pods");
    this.volumes = volumes;
    this.listener = listener;
  }

  /** Compares what the server wants with what the node does, and does what is next. */
  public void sync(HollowPod pod) {
    HollowNode node = pod.node();
    if (pod.isForgotten) {
      return;
    }
    metrics.count(pod);
    if (node.isSilent()) {
      return;
    }
    boolean deleting = pod.isBeingDeleted();
    switch (pod.stage) {
      case NEW -> {
        if (node.isRegistered()) {
          admit(pod);
        }
      }
      case STARTING, RUNNING -> {
        if (deleting) {
          stop(pod);
        }
      }
      case STOPPING -> {
        if (deleting) {
          shortenGrace(pod);
        }
      }
      case FINISHED -> {
        if (deleting) {
          pod.stage = HollowPod.Stage.STOPPED;
          pod.changed = true;
        }
      }
      case STOPPED -> {}
    }
    if (pod.changed && !pod.underWay) {
      post(pod);
    }
    metrics.count(pod);
  }

  /** Posts the status of a pod, or deletes it. */
  private void post(HollowPod pod) {
    PodRun run = pod.run;
    if (pod.stage == HollowPod.Stage.STOPPED) {
      if (!pod.isDeleted) {
        requests.delete(pod, run == null ? JsonObject.EMPTY : lastStatus(pod, run));
      }
    } else if (pod.rejection != null) {
      requests.post(pod, PodStatusBuilder.rejected(pod.tree, pod.rejection, time.now()));
    } else if (run != null) {
      requests.post(pod, status(pod, run));
    }
  }

  /** The status to post before a pod is deleted; empty if none is. */
  private JsonObject lastStatus(HollowPod pod, PodRun run) {
    boolean outlives = !Metadata.of(pod.tree).finalizers().isEmpty();
    boolean posted = PodPhase.of(pod.tree.object("status").text("phase", "")).finished();
    return !posted && (settings.pods().postsFinalStatus() || outlives)
        ? status(pod, run)
        : JsonObject.EMPTY;
  }

  /**
   * Addresses of a host are merged, and a pod may have one of each family: the one that a pod has
   * shown stays, whatever the address of its node is by now.
   */
  private JsonObject status(HollowPod pod, PodRun run) {
    String shown = pod.tree.object("status").text("hostIP", "");
    String host = shown.isEmpty() ? pod.node().address() : shown;
    return pod.eviction != null && pod.wasEvicted()
        ? PodStatusBuilder.evicted(pod.tree, host, run, pod.eviction, time.now())
        : PodStatusBuilder.of(pod.tree, host, run, pod.stays(), time.now());
  }

  /** The node decides about a pod that is new to it. */
  private void admit(HollowPod pod) {
    PodPhase phase = PodPhase.of(pod.tree.object("status").text("phase", ""));
    if (phase.finished()) {
      pod.stage = HollowPod.Stage.FINISHED;
      sync(pod);
      return;
    }
    if (phase == PodPhase.RUNNING) {
      takeOver(pod);
      return;
    }
    if (pod.isBeingDeleted()) {
      pod.stage = HollowPod.Stage.STOPPED;
      pod.changed = true;
      return;
    }
    HollowNode node = pod.node();
    PodSpecView spec = PodSpecView.read(pod.tree.object("spec"));
    ResourceList asked = EffectiveResources.requests(spec);
    Optional<AdmissionRejection> rejection =
        PodAdmission.check(pod.tree, node.view(), pod.home().taken(), pressures(node), ALL_SYSCTLS);
    if (rejection.isPresent()) {
      reject(pod, rejection.get());
      return;
    }
    hold(pod, asked);
    pod.stage = HollowPod.Stage.STARTING;
    pod.run = PodRun.accepted(pod.tree.object("spec"), time.now());
    if (volumes.mount(pod)) {
      startSoon(pod);
    } else {
      pod.changed = true;
    }
  }

  /** What keeps pods out that request none of it; a network is not among that. */
  private static SortedSet<String> pressures(HollowNode node) {
    SortedSet<String> pressures = node.reported();
    pressures.remove(SimulatedFaults.NETWORK_UNAVAILABLE);
    return pressures;
  }

  /** A pod that waited for its volumes has them. */
  public void mounted(HollowPod pod) {
    if (pod.stage == HollowPod.Stage.STARTING) {
      startSoon(pod);
      sync(pod);
    }
  }

  private void startSoon(HollowPod pod) {
    Duration latency = settings.pods().start();
    if (latency.isPositive()) {
      pod.changed |= latency.compareTo(WORTH_POSTING) >= 0;
      pod.next = loop.after(latency, () -> start(pod));
    } else {
      start(pod);
    }
  }

  private static void hold(HollowPod pod, ResourceList asked) {
    pod.holds = asked;
    pod.home().take(asked);
  }

  private void reject(HollowPod pod, AdmissionRejection rejection) {
    pod.stage = HollowPod.Stage.FINISHED;
    metrics.refused(rejection.reason());
    listener.refused(pod, rejection);
    pod.rejection = rejection;
    pod.changed = true;
  }

  /** A pod that ran before this process was started goes on. */
  private void takeOver(HollowPod pod) {
    HollowNode node = pod.node();
    hold(pod, EffectiveResources.requests(PodSpecView.read(pod.tree.object("spec"))));
    PodRun run = PodRun.read(pod.tree, time.now());
    if (!run.addresses().isEmpty() && !usesHostNetwork(pod)) {
      pod.place =
          pod.home().addresses().keep(run.addresses().getFirst(), node.tree().object("spec"));
    }
    pod.stage = HollowPod.Stage.RUNNING;
    pod.run = run;
    volumes.takeOver(pod);
    if (run.allRun()) {
      plan(pod, run);
    } else {
      afterEnd(pod, run);
    }
    pod.changed |= pod.isMisjudged();
    sync(pod);
  }

  private static boolean usesHostNetwork(HollowPod pod) {
    return pod.tree.object("spec").flag("hostNetwork", false);
  }

  private void start(HollowPod pod) {
    PodRun accepted = pod.run;
    if (accepted == null || pod.stage != HollowPod.Stage.STARTING) {
      return;
    }
    pod.stage = HollowPod.Stage.RUNNING;
    pod.next = null;
    PodRun run = accepted.started(pod.tree.object("spec"), addresses(pod), time.now());
    pod.run = run;
    pod.changed = true;
    plan(pod, run);
    sync(pod);
  }

  private static List<String> addresses(HollowPod pod) {
    HollowNode node = pod.node();
    if (usesHostNetwork(pod)) {
      return List.of(node.address());
    }
    pod.place = pod.home().addresses().take();
    return pod.home().addresses().at(pod.place, node.tree().object("spec"));
  }

  /** Sets the timer for what happens next to running containers: their exit, or a crash. */
  private void plan(HollowPod pod, PodRun run) {
    Optional<ScheduledExit> exit = ScheduledExit.of(Metadata.of(pod.tree).annotations());
    Instant ends = exit.map(e -> run.runningSince().plus(e.after())).orElse(Instant.MAX);
    Instant crashes = Instant.MAX;
    double rate = settings.mishaps().crashesPerHour();
    if (rate > 0) {
      double hours = -Math.log(1 - random.nextDouble()) / rate;
      crashes = time.now().plusMillis((long) (hours * SECONDS_PER_HOUR * 1000));
    }
    if (!ends.isAfter(crashes) && exit.isPresent()) {
      int exitCode = exit.get().exitCode();
      pod.next = loop.at(ends, () -> end(pod, -1, exitCode));
    } else if (crashes.isBefore(Instant.MAX)) {
      int container = random.nextInt(Math.max(1, run.containers().size()));
      pod.next = loop.at(crashes, () -> end(pod, container, CRASHED));
    }
  }

  /**
   * Containers end by themselves.
   *
   * @param container which; all if negative
   */
  private void end(HollowPod pod, int container, int exitCode) {
    PodRun before = pod.run;
    if (before == null || pod.stage != HollowPod.Stage.RUNNING) {
      return;
    }
    Instant now = time.now();
    if (RestartDelay.isForgiven(Duration.between(before.runningSince(), now))) {
      pod.restarts = 0;
    }
    pod.changed = true;
    afterEnd(pod, before.ended(i -> container < 0 || i == container, exitCode, now));
    sync(pod);
  }

  /** Some containers do not run: they are started again, or the pod has finished. */
  private void afterEnd(HollowPod pod, PodRun run) {
    pod.run = run;
    Instant now = time.now();
    if (run.phase(pod.restartPolicy(), true).finished()) {
      pod.run = run.withoutSidecars(now);
      pod.stage = HollowPod.Stage.FINISHED;
      pod.changed = true;
      release(pod);
      return;
    }
    if (!run.hasToRestart(pod.restartPolicy())) {
      // One has ended for good while others run on.
      plan(pod, run);
      return;
    }
    Duration delay = RestartDelay.after(pod.restarts);
    pod.restarts++;
    if (delay.isZero()) {
      restart(pod);
    } else {
      List<JsonObject> containers = pod.tree.object("spec").array("containers").objects();
      pod.run =
          run.backingOff(
              pod.restartPolicy(),
              i ->
                  RestartDelay.message(
                      delay, containers.get(i).text("name", ""), pod.name(), pod.uid()));
      pod.changed = true;
      pod.next = loop.after(delay, () -> restart(pod));
    }
  }

  private void restart(HollowPod pod) {
    PodRun before = pod.run;
    if (before == null || pod.stage != HollowPod.Stage.RUNNING) {
      return;
    }
    PodRun run = before.restarted(pod.restartPolicy(), time.now());
    pod.run = run;
    pod.changed = true;
    plan(pod, run);
    sync(pod);
  }

  /** The pod is to go: its containers get their grace period. */
  private void stop(HollowPod pod) {
    stop(pod, grace(pod));
  }

  private void stop(HollowPod pod, Duration grace) {
    pod.stage = HollowPod.Stage.STOPPING;
    pod.cancelNext();
    Stopping stopping = Stopping.of(pod.tree.object("spec"), settings.pods().stop(), grace);
    int own = ScheduledExit.exitCodeIfStopped(Metadata.of(pod.tree).annotations());
    if (stopping.takes().isPositive()) {
      pod.next = loop.after(stopping.takes(), () -> stopped(pod, stopping.killed() ? KILLED : own));
    } else {
      stopped(pod, own);
    }
  }

  /** The node needs what a pod uses: it stops, and stays to tell why. */
  void evict(HollowPod pod, String why, Duration grace) {
    pod.eviction = why;
    stop(pod, grace);
    metrics.count(pod);
  }

  private static Duration grace(HollowPod pod) {
    return Duration.ofSeconds(Metadata.of(pod.tree).deletionGracePeriodSeconds().orElse(0));
  }

  /** A pod that is stopping may get a shorter grace period. */
  private void shortenGrace(HollowPod pod) {
    Duration latest = grace(pod);
    if (pod.next != null && latest.compareTo(pod.next.remaining()) < 0) {
      pod.cancelNext();
      pod.next = loop.after(latest, () -> stopped(pod, KILLED));
    }
  }

  private void stopped(HollowPod pod, int exitCode) {
    if (pod.stage != HollowPod.Stage.STOPPING) {
      return;
    }
    pod.next = null;
    boolean isEvicted = pod.eviction != null && !pod.isBeingDeleted();
    pod.stage = isEvicted ? HollowPod.Stage.FINISHED : HollowPod.Stage.STOPPED;
    pod.run = pod.run == null ? null : pod.run.stopped(exitCode, time.now());
    pod.changed = true;
    release(pod);
    sync(pod);
    if (pod.eviction != null) {
      listener.evicted(pod);
    }
  }

  /** The pod holds nothing any more. */
  private void release(HollowPod pod) {
    volumes.unmount(pod);
    if (pod.holds != null) {
      pod.home().giveBack(pod.holds);
      pod.holds = null;
    }
    if (pod.place >= 0) {
      pod.home().addresses().release(pod.place);
      pod.place = -1;
    }
  }

  /** The server has no such pod any more. */
  public void forget(HollowPod pod) {
    boolean wasLeaving = pod.eviction != null && pod.stage == HollowPod.Stage.STOPPING;
    pod.isForgotten = true;
    pod.cancelNext();
    release(pod);
    metrics.forget(pod);
    if (wasLeaving) {
      listener.evicted(pod);
    }
  }
}
