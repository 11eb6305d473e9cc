package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.socket.GoErrors;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a runtime is, asked every five seconds: its version, its conditions and what it can do; and
 * what it is told, the range of pods' addresses. Why pods cannot run is said in a kubelet's words:
 *
 * <ul>
 *   <li>a runtime that was not ready for 30 s is down;
 *   <li>one whose pods could not be listed for 3 minutes has an unhealthy PLEG;
 *   <li>conditions that are False are repeated.
 * </ul>
 */
final class RuntimeHealth implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration LONGEST_CHECK = Duration.ofSeconds(15);
  private static final Duration DOWN_AFTER = Duration.ofSeconds(30);
  private static final Duration UNSEEN_AFTER = Duration.ofMinutes(3);
  private static final String UNKNOWN = "cri://Unknown";

  private final CriConnection connection;
  private final RemoteRuntimes.Settings settings;
  private final Time time;
  private final Duration patience;
  private final Loop loop;

  /** What was found out. */
  private record Found(
      String version,
      boolean usesSystemd,
      String sandboxImage,
      List<String> problems,
      JsonArray conditions,
      List<RuntimeHandler> handlers,
      Optional<Boolean> groupsPolicy) {}

  private volatile @Nullable Found found;

  /** When it was last ready, on the monotonic clock; null if it never was. */
  private volatile @Nullable Instant lastReady;

  private String toldCidr = "";
  private volatile boolean wasUp = true;

  RuntimeHealth(CriConnection connection, RemoteRuntimes.Settings settings) {
    this.connection = connection;
    this.settings = settings;
    this.time = settings.time();
    // So that a runtime that hung and goes on is noticed soon.
    this.patience =
        settings.timeout().compareTo(LONGEST_CHECK) < 0 ? settings.timeout() : LONGEST_CHECK;
    loop = time.start("container-runtime-health");
    loop.offer(this::check);
  }

  private void check() {
    loop.call(
        () -> {
          look();
          return true;
        },
        _ -> loop.after(PERIOD, this::check));
  }

  /** Asks now. Blocks. */
  synchronized void look() {
    try {
      Cri.StatusResponse response =
          connection.runtime(patience).status(Cri.StatusRequest.getDefaultInstance());
      // After a failure it may be another one than before.
      Found before = wasUp ? found : null;
      List<String> problems = new ArrayList<>();
      boolean isReady = condition(response, "RuntimeReady", "not ready", problems);
      condition(response, "NetworkReady", "network not ready", problems);
      found =
          new Found(
              before == null ? askVersion() : before.version,
              before == null ? usesSystemd() : before.usesSystemd,
              before == null ? askSandboxImage() : before.sandboxImage,
              List.copyOf(problems),
              conditions(response),
              response.getRuntimeHandlersList().stream().map(RuntimeHealth::handler).toList(),
              response.hasFeatures()
                  ? Optional.of(response.getFeatures().getSupplementalGroupsPolicy())
                  : Optional.empty());
      if (isReady) {
        lastReady = time.monotonicNow();
      }
      if (!wasUp) {
        LOG.info("the runtime answers again");
        // It may have been another one that was told.
        toldCidr = "";
      }
      wasUp = true;
      tellCidr();
    } catch (StatusRuntimeException e) {
      if (wasUp) {
        LOG.warn("the runtime does not answer: {}", GoErrors.text(e));
      }
      wasUp = false;
    }
  }

  private static boolean condition(
      Cri.StatusResponse response, String type, String words, List<String> problems) {
    for (Cri.RuntimeCondition each : response.getStatus().getConditionsList()) {
      if (each.getType().equals(type)) {
        if (!each.getStatus()) {
          problems.add(
              "container runtime %s: %s=false reason:%s message:%s"
                  .formatted(words, type, each.getReason(), each.getMessage()));
        }
        return each.getStatus();
      }
    }
    problems.add("container runtime %s: it does not say whether it has %s".formatted(words, type));
    return false;
  }

  private static JsonArray conditions(Cri.StatusResponse response) {
    return JsonArray.copyOf(
        response.getStatus().getConditionsList().stream()
            .map(each ->
                JsonObject.of("type", each.getType())
                    .with("status", each.getStatus() ? "True" : "False")
                    .with("reason", each.getReason())
                    .with("message", each.getMessage()))
            .toList());
  }

  private static RuntimeHandler handler(Cri.RuntimeHandler handler) {
    return new RuntimeHandler(
        handler.getName(),
        handler.getFeatures().getRecursiveReadOnlyMounts(),
        handler.getFeatures().getUserNamespaces());
  }

  private String askVersion() {
    Cri.VersionResponse version =
        connection.runtime().version(Cri.VersionRequest.newBuilder().setVersion("v1").build());
    return version.getRuntimeName() + "://" + version.getRuntimeVersion();
  }

  /** Older runtimes do not say, and are left to whoever configured them. */
  private boolean usesSystemd() {
    try {
      Cri.RuntimeConfigResponse config =
          connection.runtime().runtimeConfig(Cri.RuntimeConfigRequest.getDefaultInstance());
      return config.hasLinux() && config.getLinux().getCgroupDriver() == Cri.CgroupDriver.SYSTEMD;
    } catch (StatusRuntimeException e) {
      if (CriConnection.is(e, Status.Code.UNIMPLEMENTED)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * The image that all sandboxes are made of, if the runtime says so: older ones have it in what is
   * meant for people alone.
   */
  private String askSandboxImage() {
    String config =
        connection
            .runtime()
            .status(Cri.StatusRequest.newBuilder().setVerbose(true).build())
            .getInfoOrDefault("config", "");
    try {
      return config.isEmpty()
          ? ""
          : JsonReader.object(config.getBytes(UTF_8), JsonLimits.TRUSTED).text("sandboxImage", "");
    } catch (JsonException e) {
      LOG.debug("the runtime's configuration cannot be read: {}", e.getMessage());
      return "";
    }
  }

  private void tellCidr() {
    String cidr = String.join(",", settings.podCidrs().get());
    if (!cidr.isEmpty() && !cidr.equals(toldCidr)) {
      connection
          .runtime()
          .updateRuntimeConfig(
              Cri.UpdateRuntimeConfigRequest.newBuilder()
                  .setRuntimeConfig(
                      Cri.RuntimeConfig.newBuilder()
                          .setNetworkConfig(Cri.NetworkConfig.newBuilder().setPodCidr(cidr)))
                  .build());
      toldCidr = cidr;
    }
  }

  String version() {
    Found known = found;
    return known == null ? UNKNOWN : known.version;
  }

  /** The image that all sandboxes are made of; empty if it is not known. */
  String sandboxImage() {
    Found known = found;
    return known == null ? "" : known.sandboxImage;
  }

  /** Whether it ever said what it is. */
  boolean isKnown() {
    return found != null;
  }

  /** Its conditions as it said them last; none while it does not answer. */
  JsonArray conditions() {
    Found known = found;
    return known == null || !wasUp ? JsonArray.EMPTY : known.conditions;
  }

  List<RuntimeHandler> handlers() {
    Found known = found;
    return known == null ? List.of() : known.handlers;
  }

  Optional<Boolean> groupsPolicy() {
    Found known = found;
    return known == null ? Optional.empty() : known.groupsPolicy;
  }

  /**
   * Why pods cannot run.
   *
   * @param unseen how long ago all pods were listed; empty if they never were
   */
  List<String> problems(Optional<Duration> unseen) {
    List<String> problems = new ArrayList<>();
    Instant ready = lastReady;
    if (ready == null) {
      problems.add("container runtime status check may not have completed yet");
    } else if (time.since(ready).compareTo(DOWN_AFTER) >= 0) {
      problems.add("container runtime is down");
    }
    if (unseen.isEmpty()) {
      problems.add("PLEG is not healthy: pleg has yet to be successful");
    } else if (unseen.get().compareTo(UNSEEN_AFTER) > 0) {
      problems.add(
          "PLEG is not healthy: pleg was last seen active %s ago; threshold is %s"
              .formatted(GoDuration.text(unseen.get()), GoDuration.text(UNSEEN_AFTER)));
    }
    Found known = found;
    if (known != null) {
      problems.addAll(known.problems);
      if (known.usesSystemd) {
        problems.add(
            "container runtime makes cgroups with systemd, which this node does not: set"
                + " SystemdCgroup = false (containerd) or cgroup_manager = \"cgroupfs\" (CRI-O)");
      }
    }
    return problems;
  }

  @Override
  public void close() {
    loop.close();
  }
}
