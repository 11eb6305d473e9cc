package dev.berth.cli.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationFile;
import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.agent.runtime.remote.RuntimeEndpoint;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.resource.NameRules;
import dev.berth.policy.node.ProtectedLabels;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The options of an agent, under the names that a kubelet's have. They go before its file. */
final class NodeOptions {
  static final Option DATA =
      new Option(
          "--data",
          "DIR",
          "Where the agent keeps its pods and certificates (default: /var/lib/berth).");
  private static final Option CONFIG =
      new Option("--config", "FILE", "A KubeletConfiguration (kubelet.config.k8s.io/v1beta1).");
  private static final Option CONFIG_DIR =
      new Option(
          "--config-dir",
          "DIR",
          "A directory with files that end in .conf and change some fields of --config, in the"
              + " order of their names.");
  private static final Option NAME =
      new Option(
          "--hostname-override",
          "NAME",
          "The name of the node (default: this machine's, in small letters).");
  private static final Option IPS =
      new Option(
          "--node-ip",
          "IP[,IP]",
          "The node's addresses, one of each family at most (default: those of the interfaces with"
              + " the default routes; :: for the same with IPv6 first).");
  private static final Option LABELS =
      new Option(
          "--node-labels",
          "KEY=VALUE,...",
          "Labels that the node gets when it is registered; later changes are left alone.");
  private static final Option TAINTS =
      new Option(
          "--register-with-taints",
          "KEY=VALUE:EFFECT,...",
          "Taints that the node gets when it is registered; later changes are left alone.");
  private static final Option REGISTER =
      new Option(
          "--register-node",
          "[=BOOL]",
          "Whether the agent makes its node (default: true); else it waits until somebody did.");
  private static final Option STATUS =
      new Option(
          "--node-status-update-frequency",
          "DURATION",
          "How often the node's status is computed (default: 10s).");
  private static final Option CLOUD =
      new Option(
          "--cloud-provider",
          "external",
          "Says that a cloud's controller will initialize the node and knows its addresses.");
  private static final Option RESOURCES =
      new Option(
          "--extended-resources",
          "FILE",
          "Resources that this machine has beside the usual ones, such as example.com/fpga: 4, one"
              + " on each line.");

  private static final Option RUNTIME =
      new Option(
          "--container-runtime-endpoint",
          "unix:///SOCKET",
          "Runs pods in containerd, CRI-O or another runtime that speaks CRI (default: as"
              + " processes, which needs nothing but the machine).");
  private static final Option IMAGES =
      new Option(
          "--image-service-endpoint",
          "unix:///SOCKET",
          "Where that runtime keeps its images (default: the same socket).");

  /** What says how the node is, whoever starts its agent. */
  static final List<Option> OF_THE_NODE =
      Stream.of(
              Stream.of(
                  NAME, IPS, LABELS, TAINTS, REGISTER, STATUS, CLOUD, RESOURCES, RUNTIME, IMAGES),
              ManagerOptions.ALL.stream(),
              NetworkOptions.OF_THE_NODE.stream())
          .flatMap(options -> options)
          .toList();

  static final List<Option> ALL =
      Stream.of(List.of(DATA, CONFIG, CONFIG_DIR), OF_THE_NODE, NetworkOptions.STANDALONE)
          .flatMap(List::stream)
          .toList();

  static final Path USUAL_DATA = Path.of("/var/lib/berth");

  private NodeOptions() {}

  static Path data(Arguments arguments) {
    return arguments.path(DATA.name()).orElse(USUAL_DATA).toAbsolutePath();
  }

  /** The name of the node. */
  static String name(Arguments arguments) {
    String name =
        arguments
            .text(NAME.name())
            .orElseGet(ClusterOptions::host)
            .strip()
            .toLowerCase(Locale.ROOT);
    List<String> problems = NameRules.dns1123Subdomain(name);
    if (!problems.isEmpty()) {
      throw new UsageException(
          "\"%s\" is no name for a node: %s. Give another one with %s."
              .formatted(name, problems.getFirst(), NAME.name()));
    }
    return name;
  }

  /** What holds where nothing is said: logs are where collectors look for them. */
  static AgentSettings usual(Arguments arguments, Path root) {
    AgentSettings settings = AgentSettings.of(name(arguments), root);
    AgentSettings.Logs logs = settings.logs();
    return settings.with(
        new AgentSettings.Logs(Path.of("/var/log/pods"), logs.fileBytes(), logs.files()));
  }

  /** What options and files say. */
  static AgentSettings read(Arguments arguments, PrintWriter warnings) {
    return read(
        arguments,
        arguments.path(CONFIG.name()),
        arguments.path(CONFIG_DIR.name()),
        usual(arguments, data(arguments)),
        warnings);
  }

  /**
   * The same.
   *
   * @param usual what holds where nothing is said
   */
  static AgentSettings read(
      Arguments arguments,
      Optional<Path> config,
      Optional<Path> configDirectory,
      AgentSettings usual,
      PrintWriter warnings) {
    AgentSettings settings =
        KubeletConfigurationFile.read(
            config,
            configDirectory,
            ManagerOptions.fields(arguments),
            usual,
            warning -> warnings.println("berth: " + warning + "."));
    AgentSettings.Node node = settings.node();
    settings =
        settings.with(
            new AgentSettings.Node(
                node.name(),
                node.hostname(),
                arguments.has(LABELS.name()) ? labels(arguments) : node.labels(),
                arguments.has(TAINTS.name()) ? taints(arguments) : node.taints(),
                ips(arguments),
                arguments.has(REGISTER.name())
                    ? FlagValues.flag(arguments, REGISTER)
                    : node.registers(),
                hasCloudProvider(arguments),
                node.providerId(),
                node.controllerAttaches(),
                node.mostImages(),
                arguments.path(RESOURCES.name())));
    AgentSettings.RuntimeSettings runtime = settings.runtime();
    settings =
        settings.with(
            new AgentSettings.RuntimeSettings(
                endpoint(arguments, RUNTIME, runtime.endpoint()),
                endpoint(arguments, IMAGES, runtime.imageEndpoint()),
                runtime.timeout(),
                runtime.parallelPulls(),
                runtime.images(),
                runtime.verification()));
    AgentSettings.Pods pods = settings.pods();
    settings =
        settings.with(
            pods.with(
                pods.managers()
                    .withTopologyFile(arguments.path(ManagerOptions.TOPOLOGY_FILE.name()))));
    AgentSettings.Heartbeats beats = settings.heartbeats();
    return settings
        .with(NetworkOptions.read(arguments, settings.dns()))
        .with(
            new AgentSettings.Heartbeats(
                FlagValues.duration(arguments, STATUS, beats.statusUpdate()),
                beats.statusReport(),
                beats.leaseDuration()));
  }

  private static String endpoint(Arguments arguments, Option option, String otherwise) {
    String endpoint = arguments.text(option.name()).orElse(otherwise);
    if (!endpoint.isEmpty()) {
      try {
        RuntimeEndpoint.socket(endpoint);
      } catch (ConfigException e) {
        throw new UsageException(option.name() + ": " + e.getMessage() + ".");
      }
    }
    return endpoint;
  }

  private static boolean hasCloudProvider(Arguments arguments) {
    String provider = arguments.text(CLOUD.name()).orElse("");
    if (!provider.isEmpty() && !provider.equals("external")) {
      throw new UsageException(
          "%s must be external, not \"%s\": clouds are no part of nodes any more."
              .formatted(CLOUD.name(), provider));
    }
    return !provider.isEmpty();
  }

  private static List<String> ips(Arguments arguments) {
    List<String> ips = new ArrayList<>();
    for (String text : arguments.list(IPS.name())) {
      ips.add(
          NetworkAddresses.canonical(text.strip())
              .orElseThrow(() ->
                  new UsageException(
                      "%s must be one or two IP addresses, not \"%s\"."
                          .formatted(IPS.name(), text))));
    }
    boolean areOfOneFamily =
        ips.size() == 2 && ips.get(0).contains(":") == ips.get(1).contains(":");
    if (ips.size() > 2 || areOfOneFamily) {
      throw new UsageException(
          IPS.name() + " takes one IPv4 address and one IPv6 address at most.");
    }
    return ips;
  }

  private static Map<String, String> labels(Arguments arguments) {
    Map<String, String> labels = new TreeMap<>();
    for (String each : arguments.list(LABELS.name())) {
      int equals = each.indexOf('=');
      String key = equals < 0 ? each : each.substring(0, equals);
      String value = equals < 0 ? "" : each.substring(equals + 1);
      List<String> problems = new ArrayList<>(NameRules.qualifiedName(key));
      problems.addAll(NameRules.labelValue(value));
      if (equals < 0 || !problems.isEmpty()) {
        throw new UsageException(
            "%s: \"%s\" is no label such as tier=front%s."
                .formatted(
                    LABELS.name(), each, problems.isEmpty() ? "" : ": " + problems.getFirst()));
      }
      labels.put(key, value);
    }
    Set<String> refused = ProtectedLabels.touched(Map.of(), labels);
    if (!refused.isEmpty()) {
      throw new UsageException(
          "%s: a node may not give itself %s; an administrator can, with \"kubectl label node\"."
              .formatted(LABELS.name(), String.join(", ", refused)));
    }
    return labels;
  }

  private static List<Taint> taints(Arguments arguments) {
    List<Taint> taints = new ArrayList<>();
    for (String each : arguments.list(TAINTS.name())) {
      int colon = each.lastIndexOf(':');
      String left = colon < 0 ? each : each.substring(0, colon);
      int equals = left.indexOf('=');
      String key = equals < 0 ? left : left.substring(0, equals);
      String value = equals < 0 ? "" : left.substring(equals + 1);
      TaintEffect effect = TaintEffect.of(colon < 0 ? "" : each.substring(colon + 1));
      if (effect == TaintEffect.UNKNOWN || !NameRules.qualifiedName(key).isEmpty()) {
        throw new UsageException(
            "%s: \"%s\" is no taint such as dedicated=db:NoSchedule; effects are NoSchedule,"
                    .formatted(TAINTS.name(), each)
                + " PreferNoSchedule and NoExecute.");
      }
      taints.add(Taint.of(key, value, effect));
    }
    return taints;
  }
}
