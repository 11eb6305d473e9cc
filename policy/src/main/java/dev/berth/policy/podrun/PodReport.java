package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodCondition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodRules;
import dev.berth.model.core.ReportedContainer;
import dev.berth.model.core.ReportedStatus;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The status of a pod as its node reports it, in a kubelet's words. */
public final class PodReport {
  /** How many bytes the messages of all containers may have that they left when they ended. */
  private static final int MESSAGES = 12 << 10;

  private static final String LOST =
      "The container could not be located when the pod was terminated";

  private final Inputs in;
  private final ReportedStatus old;
  private final PodRules rules;

  private PodReport(Inputs in) {
    this.in = in;
    this.old = in.old;
    this.rules = in.pod.rules();
  }

  /** How far a pod has come. */
  public enum Stage {
    RUNS,
    /** Nothing is started any more; what runs is being stopped. */
    ENDING,
    /** Nothing runs any more. */
    ENDED
  }

  /** Why a pod has failed, whatever its containers did. */
  public record Failure(String reason, String message) {}

  /**
   * Where a pod runs.
   *
   * @param host the addresses of its node
   * @param own the pod's; none until it has them
   */
  public record Addresses(List<String> host, List<String> own) {}

  /**
   * What a status follows from.
   *
   * @param old what was reported before, or what stands in the pod's status
   * @param failures what keeps containers from being started, by name
   * @param failure why it will have failed when nothing of it runs any more; empty if that is for
   *     its containers to say
   * @param conditions further ones, and those of {@link PodCondition#RESIZE} that hold
   * @param details fields of containers' statuses that do not follow from what they do, by name
   * @param whole fields of the status that follow from nothing but the pod's phase here
   */
  public record Inputs(
      PodSnapshot pod,
      ReportedStatus old,
      Stage stage,
      Map<String, ContainerState.Waiting> failures,
      Optional<Failure> failure,
      List<PodCondition> conditions,
      Addresses addresses,
      Instant startTime,
      Map<String, JsonObject> details,
      Function<PodPhase, JsonObject> whole,
      Instant now) {}

  public static JsonObject of(Inputs inputs) {
    return new PodReport(inputs).build();
  }

  /** The status of a pod that its node does not admit. */
  public static JsonObject rejected(
      AdmissionRejection rejection, long generation, String qosClass, Instant now) {
    JsonObject.Builder status = new JsonObject.Builder();
    putGeneration(status, generation);
    return status
        .put("phase", "Failed")
        .put("reason", rejection.reason())
        .put("message", "Pod was rejected: " + rejection.message())
        .put("startTime", Times.format(now))
        .put("qosClass", qosClass)
        .build();
  }

  /** How often a container was started before, if it is started now. */
  public static int nextAttempt(
      List<ObservedContainer> observed, ReportedStatus status, String name) {
    Optional<ObservedContainer> newest = ObservedContainer.newest(observed, name);
    if (newest.isPresent()) {
      return newest.get().attempt() + 1;
    }
    Optional<ReportedContainer> reported = status.find(name);
    int restarts = reported.map(ReportedContainer::restarts).orElse(0);
    boolean hasEnded = reported.filter(c -> c.state() instanceof ContainerState.Ended).isPresent();
    return hasEnded ? restarts + 1 : restarts;
  }

  private static void putUnlessEmpty(JsonObject.Builder status, String field, String text) {
    if (!text.isEmpty()) {
      status.put(field, text);
    }
  }

  private static void putGeneration(JsonObject.Builder status, long generation) {
    if (generation > 0) {
      status.put("observedGeneration", generation);
    }
  }

  private JsonObject build() {
    ContainerReports reports = new ContainerReports(in.pod, in.failures, in.stage != Stage.RUNS);
    List<ContainerReport> inits = reports.inits(old.inits());
    List<ContainerReport> containers = reports.containers(old.containers());
    List<ContainerReport> ephemerals = reports.ephemerals(old.ephemerals());
    if (in.stage == Stage.ENDED && !rules.isStatic()) {
      containers = ended(inits, containers);
      inits = endedInits(inits);
    }
    PodPhase phase = phase(inits, containers);
    JsonObject.Builder status = new JsonObject.Builder();
    putGeneration(status, rules.generation());
    status.put("phase", word(phase));
    failure()
        .ifPresent(failure -> status.put("reason", failure.reason).put("message", failure.message));
    if (failure().isEmpty() && phase == old.phase()) {
      // Why it is in its phase was said before.
      putUnlessEmpty(status, "reason", old.reason());
      putUnlessEmpty(status, "message", old.message());
    }
    status.put("conditions", conditions(phase, inits, containers));
    putAddresses(status);
    status.put("startTime", Times.format(in.startTime));
    int all = inits.size() + containers.size() + ephemerals.size();
    int longestMessage = MESSAGES / Math.max(1, all);
    if (!inits.isEmpty()) {
      status.put("initContainerStatuses", trees(inits, false, longestMessage));
    }
    status.put("containerStatuses", trees(containers, false, longestMessage));
    if (!ephemerals.isEmpty()) {
      status.put("ephemeralContainerStatuses", trees(ephemerals, true, longestMessage));
    }
    in.whole.apply(phase).forEach(status::put);
    return status.build();
  }

  /** As upstream: whoever would take the place of a failed pod must not meet what is left of it. */
  private Optional<Failure> failure() {
    return in.stage == Stage.ENDED ? in.failure : Optional.empty();
  }

  private PodPhase phase(List<ContainerReport> inits, List<ContainerReport> containers) {
    PodPhase before = old.phase();
    if (before.finished()) {
      return before; // A pod never comes back from that.
    }
    if (failure().isPresent()) {
      return PodPhase.FAILED;
    }
    PodPhase phase =
        PhaseRules.of(rules, inits, containers, in.pod.replaced(), in.stage != Stage.RUNS);
    if (in.stage != Stage.ENDED && phase.finished()) {
      // As upstream: the scheduler gives its place to another pod as soon as it hears of this.
      return before;
    }
    boolean mustEnd = in.stage == Stage.ENDED && !rules.isStatic();
    return mustEnd && !phase.finished() ? PodPhase.FAILED : phase;
  }

  /** Once a pod was initialized, a container of which nothing is known counts as failed. */
  private List<ContainerReport> ended(
      List<ContainerReport> inits, List<ContainerReport> containers) {
    boolean initialized =
        inits.isEmpty()
            || inits.getLast().isReady()
            || containers.stream().anyMatch(c -> c.end() != null || c.isRunning());
    return initialized ? containers.stream().map(PodReport::endedOrLost).toList() : containers;
  }

  /** Init containers of which one after them has begun must have begun too. */
  private static List<ContainerReport> endedInits(List<ContainerReport> inits) {
    int begun = 0;
    for (int i = 0; i < inits.size(); i++) {
      if (inits.get(i).isRunning() || inits.get(i).end() != null) {
        begun = i + 1;
      }
    }
    List<ContainerReport> ended = new ArrayList<>();
    for (int i = 0; i < inits.size(); i++) {
      ended.add(i < begun ? endedOrLost(inits.get(i)) : inits.get(i));
    }
    return ended;
  }

  private static ContainerReport endedOrLost(ContainerReport report) {
    return report.state() instanceof ContainerState.Ended
        ? report
        : report.with(ContainerState.Ended.lost(LOST));
  }

  private JsonArray conditions(
      PodPhase phase, List<ContainerReport> inits, List<ContainerReport> containers) {
    JsonArray shown = old.conditions();
    PodConditions.Inputs inputs =
        new PodConditions.Inputs(
            phase,
            in.pod.hasSandbox(),
            summaries(rules.inits(), inits, true),
            summaries(rules.containers(), containers, false),
            rules.readinessGates(),
            shown);
    List<PodCondition> all = new ArrayList<>(in.conditions);
    all.addAll(PodConditions.of(inputs));
    if (RestartRules.mayRestartAll(rules)) {
      boolean restarting = !phase.finished() && in.pod.restartsAll();
      all.add(
          new PodCondition(
              PodCondition.RESTARTING_ALL,
              restarting,
              restarting ? "RestartAllContainersStarted" : "",
              restarting ? "container exited with restart policy rule" : ""));
    }
    return JsonArray.copyOf(
        all.stream()
            .map(condition ->
                condition.toTree(
                    Conditions.find(shown, condition.type()).orElse(JsonObject.EMPTY),
                    rules.generation(),
                    in.now))
            .toList());
  }

  private static List<PodConditions.Container> summaries(
      List<ContainerRules> rules, List<ContainerReport> reports, boolean areInits) {
    List<PodConditions.Container> summaries = new ArrayList<>();
    for (int i = 0; i < reports.size(); i++) {
      ContainerReport report = reports.get(i);
      boolean sidecar = rules.get(i).isSidecar();
      boolean done;
      if (!areInits) {
        done = report.isRunning() || report.end() != null;
      } else {
        done = sidecar ? report.isStarted() : report.isReady();
      }
      summaries.add(new PodConditions.Container(report.name(), sidecar, report.isReady(), done));
    }
    return summaries;
  }

  private void putAddresses(JsonObject.Builder status) {
    put(status, "hostIP", in.addresses.host);
    put(status, "podIP", in.addresses.own);
  }

  /** The first of some addresses, and all of them. */
  private static void put(JsonObject.Builder status, String field, List<String> addresses) {
    if (!addresses.isEmpty()) {
      status.put(field, addresses.getFirst());
      status.put(
          field + "s",
          JsonArray.copyOf(addresses.stream().map(a -> JsonObject.of("ip", a)).toList()));
    }
  }

  private JsonArray trees(List<ContainerReport> reports, boolean areEphemeral, int longestMessage) {
    return JsonArray.copyOf(
        reports.stream()
            .map(report -> report.withMessagesUpTo(longestMessage))
            .map(report ->
                report.toTree(
                    areEphemeral, in.details.getOrDefault(report.name(), JsonObject.EMPTY)))
            .toList());
  }

  private static String word(PodPhase phase) {
    return switch (phase) {
      case PENDING -> "Pending";
      case RUNNING -> "Running";
      case SUCCEEDED -> "Succeeded";
      case FAILED -> "Failed";
      case UNKNOWN -> "Unknown";
    };
  }
}
