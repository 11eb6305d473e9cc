package dev.berth.cli.options;

import dev.berth.access.token.TokenSigner;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.ControllerName;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.attachdetach.AttachDetachSettings;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.podgc.PodGarbageCollectorSettings;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.policy.serviceaccount.LegacyTokenCleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of controllers, by kube-controller-manager's flags. */
public final class ControllerOptions {
  private static final HealthSettings HEALTH = HealthSettings.DEFAULT;
  private static final ZoneSettings ZONES = ZoneSettings.DEFAULT;
  private static final PodGarbageCollectorSettings COLLECTION = PodGarbageCollectorSettings.DEFAULT;
  private static final Duration MONITOR_PERIOD = NodeLifecycleSettings.DEFAULT.monitorPeriod();

  private static final Option CONTROLLERS = ControllerChoiceOption.of(ControllerName.words());
  private static final Option PERIOD =
      new Option(
          "--node-monitor-period",
          "DURATION",
          "How often to check the health of nodes (default: %s)."
              .formatted(FlagValues.text(MONITOR_PERIOD)));
  private static final Option GRACE =
      new Option(
          "--node-monitor-grace-period",
          "DURATION",
          "How long a node may go without a heartbeat before it is marked unhealthy (default: %s)."
              .formatted(FlagValues.text(HEALTH.gracePeriod())));
  private static final Option STARTUP_GRACE =
      new Option(
          "--node-startup-grace-period",
          "DURATION",
          "The same for a node that has not sent its first heartbeat (default: %s)."
              .formatted(FlagValues.text(HEALTH.startupGracePeriod())));
  private static final Option EVICTION_TIMEOUT =
      new Option(
          "--pod-eviction-timeout",
          "DURATION",
          "With --feature-gates TaintBasedEvictions=false: how long a node may not be ready before"
              + " its pods are evicted (default: %s)."
                  .formatted(FlagValues.text(HEALTH.podEvictionTimeout())));
  private static final Option RATE =
      new Option(
          "--node-eviction-rate",
          "N",
          "How many unhealthy nodes of a zone are emptied of pods per second (default: %s)."
              .formatted(ZONES.nodesPerSecond()));
  private static final Option SECONDARY_RATE =
      new Option(
          "--secondary-node-eviction-rate",
          "N",
          "The same while a large zone is unhealthy (default: %s)."
              .formatted(ZONES.secondaryNodesPerSecond()));
  private static final Option THRESHOLD =
      new Option(
          "--unhealthy-zone-threshold",
          "N",
          "The fraction of a zone's nodes that must be unhealthy for the zone to count as unhealthy"
              + " (default: %s).".formatted(ZONES.unhealthyThreshold()));
  private static final Option LARGE =
      new Option(
          "--large-cluster-size-threshold",
          "N",
          "A zone with more nodes than this is large. In a smaller zone that is unhealthy, no pods"
              + " are evicted (default: %d).".formatted(ZONES.largeZone()));
  private static final Option FINISHED =
      new Option(
          "--terminated-pod-gc-threshold",
          "N",
          "How many terminated pods may exist before some are deleted; 0 for no limit (default: %d)."
              .formatted(COLLECTION.mostFinished()));

  private static final Option NO_FORCE =
      Option.flag(
          "--disable-force-detach-on-timeout",
          "Never force-detaches volumes from unhealthy nodes, instead of doing so after %s."
              .formatted(
                  AttachDetachSettings.DEFAULT.patience().map(FlagValues::text).orElseThrow()));
  private static final Option ROOT_CA =
      new Option(
          "--root-ca-file",
          "FILE",
          "The CA bundle to publish in every namespace's kube-root-ca.crt (default: the cluster's"
              + " own CA in berth up, otherwise none).");

  private static final Option TOKEN_KEY =
      new Option(
          "--service-account-private-key-file",
          "FILE",
          "The PEM private key that signs tokens for secrets of type kubernetes.io/service-account-token"
              + " (default: the cluster's own in berth up, otherwise there are no such tokens).");
  private static final Option UNUSED_TOKENS =
      new Option(
          "--legacy-service-account-token-clean-up-period",
          "DURATION",
          "How long an auto-generated token in a secret may be unused before it is marked invalid,"
              + " and invalid before it is deleted (default: %s)."
                  .formatted(FlagValues.text(LegacyTokenCleanup.ONE_YEAR)));

  private ControllerOptions() {}

  /** All options but the feature gates. */
  public static List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(
                CONTROLLERS,
                PERIOD,
                GRACE,
                STARTUP_GRACE,
                EVICTION_TIMEOUT,
                RATE,
                SECONDARY_RATE,
                THRESHOLD,
                LARGE,
                FINISHED,
                NO_FORCE,
                ROOT_CA,
                TOKEN_KEY,
                UNUSED_TOKENS));
    options.addAll(AutoscalingOptions.OPTIONS);
    options.addAll(IpamOptions.OPTIONS);
    options.addAll(SigningOptions.OPTIONS);
    return options;
  }

  /**
   * What the flags say.
   *
   * @param services the addresses of services, if the flags do not say
   */
  public static ControllerSettings read(
      Arguments arguments, FeatureGates gates, List<Cidr> services, Optional<Cidr> podRange) {
    return new ControllerSettings(
        ControllerChoiceOption.read(
            arguments, ControllerName.all(), ControllerName::choose, ControllerName.words()),
        new NodeLifecycleSettings(
            FlagValues.duration(arguments, PERIOD, MONITOR_PERIOD),
            health(arguments, gates),
            zones(arguments)),
        new PodGarbageCollectorSettings(
            COLLECTION.period(),
            arguments.number(
                FINISHED.name(), COLLECTION.mostFinished(), Integer.MIN_VALUE, Integer.MAX_VALUE),
            COLLECTION.quarantine(),
            gates.isOn(FeatureGate.NODE_OUT_OF_SERVICE_VOLUME_DETACH)),
        attachDetach(arguments, gates),
        AutoscalingOptions.read(arguments),
        IpamOptions.read(arguments, services, podRange),
        arguments.path(ROOT_CA.name()).map(ControllerOptions::certificates).map(pem -> () -> pem),
        SigningOptions.read(arguments),
        arguments.path(TOKEN_KEY.name()).map(ServiceAccountKey::read).map(TokenSigner::new),
        FlagValues.duration(arguments, UNUSED_TOKENS, LegacyTokenCleanup.ONE_YEAR),
        gates);
  }

  private static AttachDetachSettings attachDetach(Arguments arguments, FeatureGates gates) {
    AttachDetachSettings settings = AttachDetachSettings.DEFAULT;
    settings = arguments.has(NO_FORCE.name()) ? settings.patient() : settings;
    return gates.isOn(FeatureGate.NODE_OUT_OF_SERVICE_VOLUME_DETACH)
        ? settings
        : settings.ignoringOutOfService();
  }

  private static String certificates(Path file) {
    try {
      String pem = Files.readString(file);
      if (pem.contains("-----BEGIN CERTIFICATE-----")) {
        return pem;
      }
    } catch (IOException e) {
      throw new UsageException("%s: cannot read %s.".formatted(ROOT_CA.name(), file));
    }
    throw new UsageException(
        "%s: %s holds no PEM certificate (-----BEGIN CERTIFICATE-----)."
            .formatted(ROOT_CA.name(), file));
  }

  private static HealthSettings health(Arguments arguments, FeatureGates gates) {
    Duration period = FlagValues.duration(arguments, PERIOD, MONITOR_PERIOD);
    Duration grace = FlagValues.duration(arguments, GRACE, HEALTH.gracePeriod());
    if (grace.compareTo(period) <= 0) {
      throw new UsageException(
          "%s (%s) must be longer than %s (%s), or nodes would be marked unhealthy between checks."
              .formatted(
                  GRACE.name(), FlagValues.text(grace), PERIOD.name(), FlagValues.text(period)));
    }
    return new HealthSettings(
        grace,
        FlagValues.duration(arguments, STARTUP_GRACE, HEALTH.startupGracePeriod()),
        FlagValues.duration(arguments, EVICTION_TIMEOUT, HEALTH.podEvictionTimeout()),
        gates.isOn(FeatureGate.TAINT_BASED_EVICTIONS),
        gates.isOn(FeatureGate.TAINT_NODES_BY_CONDITION));
  }

  private static ZoneSettings zones(Arguments arguments) {
    return new ZoneSettings(
        FlagValues.decimal(arguments, RATE, ZONES.nodesPerSecond(), Double.MAX_VALUE),
        FlagValues.decimal(
            arguments, SECONDARY_RATE, ZONES.secondaryNodesPerSecond(), Double.MAX_VALUE),
        FlagValues.decimal(arguments, THRESHOLD, ZONES.unhealthyThreshold(), 1),
        arguments.number(LARGE.name(), ZONES.largeZone(), 0, Integer.MAX_VALUE));
  }
}
