package dev.berth.hollow;

import dev.berth.hollow.pod.NodeAdmission;
import dev.berth.hollow.pod.OwnEnd;
import dev.berth.hollow.pod.PodRun;
import dev.berth.hollow.pod.PodStatusBuilder;
import dev.berth.hollow.pod.Refusal;
import dev.berth.hollow.pod.RestartDelay;
import dev.berth.hollow.pod.Stopping;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What nodes do with the pods that are bound to them.
 *
 * <pre>
 * NEW ──▶ STARTING ──▶ RUNNING ──▶ STOPPING ──▶ STOPPED ──▶ deleted
 *  └─ refused ──────────▶ FINISHED ◀── all containers ended
 * </pre>
 *
 * <p>What happens to containers happens whether a node is silent or not; what the server wants is
 * heard, and what it should know is said, only while it is not. {@link #look} compares both and
 * does what is next; it may be called at any time.
 *
 * <p>Belongs to the loop of {@link HollowNodes}.
 */
final class HollowPods {
  /** Pods that start sooner than this do not say that they are about to. */
  private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

  private static final int KILLED = 137;
  private static final int CRASHED = 1;
  private static final double SECONDS_PER_HOUR = 3600;

  private final Time time;
  private final Loop loop;
  private final HollowSettings settings;
  private final PodRequests requests;
  private final HollowMetrics metrics;
  private final RandomGenerator random;
  private final Listener listener;
  private final HollowVolumes volumes;

  /** Learns what nodes did with pods. */
  interface Listener {
    void refused(HollowPod pod, Refusal why);
  }

  HollowPods(
      Time time,
      Loop loop,
      HollowSettings settings,
      PodRequests requests,
      HollowMetrics metrics,
      HollowVolumes volumes,
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

  /** Does what is next for a pod. */
  void look(HollowPod pod) {
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
          begin(pod);
        }
      }
      case STARTING, RUNNING -> {
        if (deleting) {
          stop(pod);
        }
      }
      case STOPPING -> hurry(pod);
      case FINISHED -> {
        if (deleting) {
          pod.stage = HollowPod.Stage.STOPPED;
          pod.changed = true;
        }
      }
      case STOPPED -> {}
    }
    if (pod.changed && !pod.underWay) {
      say(pod);
    }
    metrics.count(pod);
  }

  /** Tells the server how the pod is. */
  private void say(HollowPod pod) {
    PodRun run = pod.run;
    if (pod.stage == HollowPod.Stage.STOPPED) {
      if (!pod.isDeleted) {
        requests.delete(pod, run == null ? JsonObject.EMPTY : lastWords(pod, run));
      }
    } else if (pod.refusal != null) {
      requests.post(pod, PodStatusBuilder.refused(pod.tree, pod.refusal, time.now()));
    } else if (run != null) {
      requests.post(pod, status(pod, run));
    }
  }

  /** What is left to say about a pod before it is deleted; empty if nothing is. */
  private JsonObject lastWords(HollowPod pod, PodRun run) {
    boolean outlives = !Metadata.of(pod.tree).finalizers().isEmpty();
    boolean said = PodPhase.of(pod.tree.object("status").text("phase", "")).finished();
    return !said && (settings.pods().lastWords() || outlives) ? status(pod, run) : JsonObject.EMPTY;
  }

  private JsonObject status(HollowPod pod, PodRun run) {
    return PodStatusBuilder.of(pod.tree, pod.node().address(), run, pod.stays(), time.now());
  }

  /** The node sees the pod for the first time. */
  private void begin(HollowPod pod) {
    PodPhase phase = PodPhase.of(pod.tree.object("status").text("phase", ""));
    if (phase.finished()) {
      pod.stage = HollowPod.Stage.FINISHED;
      look(pod);
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
    Optional<Refusal> refusal = NodeAdmission.check(spec, asked, node.view(), node.taken());
    if (refusal.isPresent()) {
      refuse(pod, refusal.get());
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

  /** A pod that waited for its volumes has them. */
  void mounted(HollowPod pod) {
    if (pod.stage == HollowPod.Stage.STARTING) {
      startSoon(pod);
      look(pod);
    }
  }

  private void startSoon(HollowPod pod) {
    Duration latency = settings.pods().start();
    if (latency.isPositive()) {
      pod.changed |= latency.compareTo(WORTH_SAYING) >= 0;
      pod.next = loop.after(latency, () -> start(pod));
    } else {
      start(pod);
    }
  }

  private static void hold(HollowPod pod, ResourceList asked) {
    pod.holds = asked;
    pod.node().take(asked);
  }

  private void refuse(HollowPod pod, Refusal refusal) {
    pod.stage = HollowPod.Stage.FINISHED;
    metrics.refused(refusal.reason());
    listener.refused(pod, refusal);
    pod.refusal = refusal;
    pod.changed = true;
  }

  /** A pod that ran before this agent was started goes on. */
  private void takeOver(HollowPod pod) {
    HollowNode node = pod.node();
    hold(pod, EffectiveResources.requests(PodSpecView.read(pod.tree.object("spec"))));
    PodRun run = PodRun.read(pod.tree, time.now());
    if (!run.addresses().isEmpty() && !usesHostNetwork(pod)) {
      pod.place = node.podAddresses().keep(run.addresses().getFirst(), node.tree().object("spec"));
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
    look(pod);
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
    look(pod);
  }

  private static List<String> addresses(HollowPod pod) {
    HollowNode node = pod.node();
    if (usesHostNetwork(pod)) {
      return List.of(node.address());
    }
    pod.place = node.podAddresses().take();
    return node.podAddresses().at(pod.place, node.tree().object("spec"));
  }

  /** Finds out what will happen next to containers that all run: their own end, or a crash. */
  private void plan(HollowPod pod, PodRun run) {
    Optional<OwnEnd> end = OwnEnd.of(Metadata.of(pod.tree).annotations());
    Instant ends = end.map(e -> run.runningSince().plus(e.after())).orElse(Instant.MAX);
    Instant crashes = Instant.MAX;
    double rate = settings.mishaps().crashesPerHour();
    if (rate > 0) {
      double hours = -Math.log(1 - random.nextDouble()) / rate;
      crashes = time.now().plusMillis((long) (hours * SECONDS_PER_HOUR * 1000));
    }
    if (!ends.isAfter(crashes) && end.isPresent()) {
      int exitCode = end.get().exitCode();
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
    look(pod);
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
    look(pod);
  }

  /** The pod is to go: its containers get their grace period. */
  private void stop(HollowPod pod) {
    pod.stage = HollowPod.Stage.STOPPING;
    pod.cancelNext();
    Stopping stopping = Stopping.of(pod.tree.object("spec"), settings.pods().stop(), grace(pod));
    int own = OwnEnd.exitCodeIfStopped(Metadata.of(pod.tree).annotations());
    if (stopping.takes().isPositive()) {
      pod.next = loop.after(stopping.takes(), () -> stopped(pod, stopping.killed() ? KILLED : own));
    } else {
      stopped(pod, own);
    }
  }

  private static Duration grace(HollowPod pod) {
    return Duration.ofSeconds(Metadata.of(pod.tree).deletionGracePeriodSeconds().orElse(0));
  }

  /** A pod that is stopping may be told to be quicker. */
  private void hurry(HollowPod pod) {
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
    pod.stage = HollowPod.Stage.STOPPED;
    pod.run = pod.run == null ? null : pod.run.stopped(exitCode, time.now());
    pod.changed = true;
    release(pod);
    look(pod);
  }

  /** The pod holds nothing any more. */
  private void release(HollowPod pod) {
    volumes.unmount(pod);
    if (pod.holds != null) {
      pod.node().giveBack(pod.holds);
      pod.holds = null;
    }
    if (pod.place >= 0) {
      pod.node().podAddresses().release(pod.place);
      pod.place = -1;
    }
  }

  /** The server has no such pod any more. */
  void forget(HollowPod pod) {
    pod.isForgotten = true;
    pod.cancelNext();
    release(pod);
    metrics.forget(pod);
  }
}
