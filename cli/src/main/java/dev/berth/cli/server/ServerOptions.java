package dev.berth.cli.server;

import dev.berth.admission.AdmissionConfiguration;
import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.encryption.EncryptionConfiguration;
import dev.berth.apiserver.encryption.ReloadedEncryption;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.node.NetworkOptions;
import dev.berth.cli.node.UpNodeOptions;
import dev.berth.cli.options.CloudOptions;
import dev.berth.cli.options.ControllerOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.options.HollowOptions;
import dev.berth.cli.options.IpamOptions;
import dev.berth.cli.options.SchedulerFile;
import dev.berth.cli.options.TolerationOptions;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.service.NodePortRange;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.policy.service.ServiceRange;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.serving.audit.AuditPolicy;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.store.HistoryLimits;
import dev.berth.store.embedded.ValueTransformer;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The options of a server. */
final class ServerOptions {
  private static final int USUAL_PORT = 6443;
  private static final int LAST_PORT = 65_535;

  private static final Option PORT =
      new Option(
          "--port",
          "N",
          "The port of the API (default: %d); 0 picks a free one.".formatted(USUAL_PORT));
  private static final Option BIND_ADDRESS =
      new Option("--bind-address", "ADDRESS", "The address to listen on (default: all of them).");
  private static final Option ADVERTISE_ADDRESS =
      new Option(
          "--advertise-address",
          "ADDRESS",
          "The IP address of this machine at which others that are to become nodes find the API,"
              + " published in the ConfigMap cluster-info (default: --bind-address, or else any).");
  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig-out",
          "FILE",
          "Where to write the administrator's kubeconfig, readable for you only (default: %s in the"
                  .formatted(ServerPlace.KUBECONFIG)
              + " data directory).");
  static final Option ENCRYPTION_CONFIG =
      new Option(
          "--encryption-provider-config",
          "FILE",
          "An EncryptionConfiguration (apiserver.config.k8s.io/v1): which resources are encrypted at"
              + " rest, and with which keys (default: none).");
  private static final Option ENCRYPTION_RELOAD =
      Option.flag(
          "--encryption-provider-config-automatic-reload",
          "Looks once a minute whether that file has changed, and uses it if so.");
  private static final Option ENABLE_PLUGINS =
      new Option(
          "--enable-admission-plugins",
          "NAME,...",
          "Admission plugins to turn on in addition to the default ones.");
  private static final Option DISABLE_PLUGINS =
      new Option("--disable-admission-plugins", "NAME,...", "Admission plugins to turn off.");
  private static final Option ADMISSION_CONFIG =
      new Option(
          "--admission-control-config-file",
          "FILE",
          "An AdmissionConfiguration (apiserver.config.k8s.io/v1): with which kubeconfig's users the"
              + " server proves to webhooks who it is (default: it does not), what PodSecurity"
              + " demands by default and of whom it does not (default: privileged, nobody), what"
              + " PodNodeSelector and PodTolerationRestriction do where a namespace says nothing,"
              + " and what ResourceQuota lets nobody use without a quota (default: nothing).");
  private static final Option NODE_PORTS =
      new Option(
          "--service-node-port-range",
          "FIRST-LAST",
          "The ports that services of type NodePort are given on all nodes (default: %s)."
              .formatted(NodePortRange.DEFAULT));
  private static final Option WATCH_HISTORY =
      new Option(
          "--watch-history",
          "DURATION",
          "How long changes are kept for watches and lists of an older resourceVersion (default: %s)."
              .formatted(FlagValues.text(HistoryLimits.FIVE_MINUTES)));
  static final Option AUDIT_LOG =
      new Option(
          "--audit-log",
          "FILE",
          "Records each request in this file, one JSON object per line (audit.k8s.io/v1); - is"
              + " standard output (default: no audit log).");
  private static final Option AUDIT_LOG_MODE =
      new Option(
          "--audit-log-mode",
          "blocking|batch",
          "What happens when the audit log is written too slowly: requests wait (blocking, the"
              + " default), or audit events are lost and counted (batch).");
  private static final Option AUDIT_POLICY =
      new Option(
          "--audit-policy-file",
          "FILE",
          "A Policy (audit.k8s.io/v1): what of which request is recorded in the audit log (default:"
              + " the metadata of all requests).");
  private static final Option SCHEDULER_CONFIG =
      new Option(
          "--scheduler-config",
          "FILE",
          "A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) for the scheduler"
              + " (default: upstream's defaults).");
  private static final Option NO_SCHEDULER =
      Option.flag(
          "--no-scheduler", "Runs no scheduler; pods without a node wait for another scheduler.");
  private static final Option NO_CONTROLLERS =
      Option.flag("--no-controllers", "Runs no controllers, because they run elsewhere.");

  private static final HollowOptions HOLLOW = HollowOptions.among();

  private ServerOptions() {}

  static List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(
                DataOption.OPTION,
                PORT,
                BIND_ADDRESS,
                ADVERTISE_ADDRESS,
                KUBECONFIG,
                ENCRYPTION_CONFIG,
                ENCRYPTION_RELOAD,
                ENABLE_PLUGINS,
                DISABLE_PLUGINS,
                ADMISSION_CONFIG,
                NODE_PORTS,
                WATCH_HISTORY,
                AUDIT_LOG,
                AUDIT_LOG_MODE,
                AUDIT_POLICY,
                SCHEDULER_CONFIG,
                NO_SCHEDULER,
                NO_CONTROLLERS,
                CloudOptions.CONFIG));
    options.addAll(TolerationOptions.OPTIONS);
    options.addAll(UpNodeOptions.options());
    options.addAll(NetworkOptions.OF_THE_CLUSTER);
    options.addAll(EtcdServerOptions.options());
    options.addAll(OverloadOptions.options());
    options.addAll(ShutdownOptions.options());
    options.addAll(KubeletOptions.options());
    options.addAll(AuthenticationOptions.options());
    options.addAll(ControllerOptions.options());
    options.add(GateOption.OPTION);
    return HOLLOW.with(options);
  }

  /**
   * What they say.
   *
   * @param err told what has no effect
   */
  static ServerSettings read(Arguments arguments, PrintWriter err) {
    FeatureGates gates = GateOption.read(arguments);
    AdmissionPlugins admission = admission(arguments, gates);
    Optional<HollowSettings> hollow = HOLLOW.settings(arguments);
    boolean isNode = UpNodeOptions.isWanted(arguments, hollow.isPresent());
    ControllerSettings controllers =
        ControllerOptions.read(
            arguments,
            gates,
            admission.services().cidrs(),
            hasRealNodes(isNode, hollow)
                ? Cidr.parse(IpamOptions.USUAL_CLUSTER)
                : Optional.empty());
    SchedulerConfiguration scheduler =
        SchedulerFile.read(arguments.path(SCHEDULER_CONFIG.name()), err).with(gates);
    InetSocketAddress address =
        new InetSocketAddress(
            arguments.text(BIND_ADDRESS.name()).orElse("::"),
            arguments.number(PORT.name(), USUAL_PORT, 0, LAST_PORT));
    return new ServerSettings(
        address,
        arguments.text(ADVERTISE_ADDRESS.name()).map(ServerOptions::ipAddress),
        arguments.path(KUBECONFIG.name()),
        AuthenticationOptions.read(arguments),
        gates,
        admission,
        watchHistory(arguments),
        arguments.text(AUDIT_LOG.name()),
        auditPolicy(arguments),
        auditMode(arguments),
        OverloadOptions.flowControl(arguments),
        OverloadOptions.httpLimits(arguments),
        KubeletOptions.read(arguments, address),
        arguments.has(NO_SCHEDULER.name()) ? Optional.empty() : Optional.of(scheduler),
        arguments.has(NO_CONTROLLERS.name()) ? Optional.empty() : Optional.of(controllers),
        cloud(arguments, controllers),
        hollow,
        isNode ? Optional.of(root -> UpNodeOptions.read(arguments, root, err)) : Optional.empty(),
        UpNodeOptions.stopsPods(arguments),
        hasRealNodes(isNode, hollow) ? NetworkOptions.served(arguments) : Optional.empty(),
        encryption(arguments),
        EtcdServerOptions.read(arguments),
        ShutdownOptions.delay(arguments),
        shared(arguments));
  }

  /** The options, as they were given, that all servers of a cluster need alike; flags are empty. */
  private static Map<String, String> shared(Arguments arguments) {
    Set<Option> alike =
        new LinkedHashSet<>(
            List.of(
                PORT,
                ENCRYPTION_CONFIG,
                ENABLE_PLUGINS,
                DISABLE_PLUGINS,
                ADMISSION_CONFIG,
                NODE_PORTS,
                GateOption.OPTION));
    alike.addAll(EtcdServerOptions.options());
    alike.addAll(AuthenticationOptions.options());
    alike.addAll(NetworkOptions.OF_THE_CLUSTER);
    alike.addAll(IpamOptions.OPTIONS);
    Map<String, String> given = new TreeMap<>();
    for (Option option : alike) {
      arguments.text(option.name()).ifPresent(value -> given.put(option.name(), value));
    }
    given.remove(PORT.name(), "0");
    return given;
  }

  /**
   * Whether nodes need pod ranges: this machine, or machines that join. Hollow nodes do without.
   */
  private static boolean hasRealNodes(boolean isNode, Optional<HollowSettings> hollow) {
    return isNode || hollow.isEmpty();
  }

  private static Optional<CloudSettings> cloud(
      Arguments arguments, ControllerSettings controllers) {
    if (arguments.has(CloudOptions.CONFIG.name()) && arguments.has(NO_CONTROLLERS.name())) {
      throw new UsageException(
          "%s has no effect with %s.".formatted(CloudOptions.CONFIG.name(), NO_CONTROLLERS.name()));
    }
    return CloudOptions.ofServer(arguments, controllers.lifecycle().monitorPeriod());
  }

  private static ValueTransformer encryption(Arguments arguments) {
    Optional<Path> file = arguments.path(ENCRYPTION_CONFIG.name());
    if (!arguments.has(ENCRYPTION_RELOAD.name())) {
      return file.map(EncryptionConfiguration::read).orElse(ValueTransformer.NONE);
    }
    if (file.isEmpty()) {
      throw new UsageException(
          "%s has no effect without %s, which names the file."
              .formatted(ENCRYPTION_RELOAD.name(), ENCRYPTION_CONFIG.name()));
    }
    return ReloadedEncryption.of(file.get());
  }

  private static AuditPolicy auditPolicy(Arguments arguments) {
    if (arguments.has(AUDIT_POLICY.name()) && !arguments.has(AUDIT_LOG.name())) {
      throw new UsageException(
          "%s has no effect without %s, which names the file to write to."
              .formatted(AUDIT_POLICY.name(), AUDIT_LOG.name()));
    }
    return arguments.path(AUDIT_POLICY.name()).map(AuditPolicy::read).orElse(AuditPolicy.METADATA);
  }

  /** The gate of a plugin's name turns the plugin off too, unless somebody asks for it. */
  private static AdmissionPlugins admission(Arguments arguments, FeatureGates gates) {
    List<String> enabled = arguments.list(ENABLE_PLUGINS.name());
    List<String> disabled = new ArrayList<>(arguments.list(DISABLE_PLUGINS.name()));
    String taints = FeatureGate.TAINT_NODES_BY_CONDITION.word();
    if (!gates.isOn(FeatureGate.TAINT_NODES_BY_CONDITION) && !enabled.contains(taints)) {
      disabled.add(taints);
    }
    try {
      AdmissionConfiguration configuration =
          arguments
              .path(ADMISSION_CONFIG.name())
              .map(AdmissionConfiguration::read)
              .orElse(AdmissionConfiguration.NONE);
      return AdmissionPlugins.choose(enabled, disabled)
          .with(configuration)
          .with(TolerationOptions.read(arguments))
          .with(services(arguments));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static ServiceNetwork services(Arguments arguments) {
    List<ServiceRange> ranges = IpamOptions.services(arguments);
    String ports = arguments.text(NODE_PORTS.name()).orElse(NodePortRange.DEFAULT.toString());
    return new ServiceNetwork(
        ranges.isEmpty() ? ServiceNetwork.DEFAULT.ranges() : ranges,
        NodePortRange.parse(ports)
            .orElseThrow(() ->
                new UsageException(
                    "%s must be a range of ports such as %s, not \"%s\"."
                        .formatted(NODE_PORTS.name(), NodePortRange.DEFAULT, ports))));
  }

  private static String ipAddress(String text) {
    try {
      return InetAddress.ofLiteral(text).getHostAddress();
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "%s must be an IP address, not \"%s\".".formatted(ADVERTISE_ADDRESS.name(), text));
    }
  }

  private static Duration watchHistory(Arguments arguments) {
    Duration history = FlagValues.duration(arguments, WATCH_HISTORY, HistoryLimits.FIVE_MINUTES);
    if (history.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new UsageException(WATCH_HISTORY.name() + " must be at least 1s");
    }
    return history;
  }

  private static AuditWriter.Mode auditMode(Arguments arguments) {
    return switch (arguments.text(AUDIT_LOG_MODE.name()).orElse("blocking")) {
      case "blocking" -> AuditWriter.Mode.BLOCKING;
      case "batch" -> AuditWriter.Mode.BATCH;
      case "blocking-strict" ->
          throw new UsageException(
              "%s cannot be blocking-strict, since requests are recorded when they have ended; use"
                      .formatted(AUDIT_LOG_MODE.name())
                  + " blocking.");
      case String other ->
          throw new UsageException(
              "%s must be blocking or batch, not \"%s\".".formatted(AUDIT_LOG_MODE.name(), other));
    };
  }
}
