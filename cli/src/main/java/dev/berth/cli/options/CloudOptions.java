package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.CloudControllerName;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.controllers.cloud.FileCloudProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** The settings of a cloud's controllers, by cloud-controller-manager's flags. */
public final class CloudOptions {
  /** The file with the cloud's machines. */
  public static final Option CONFIG =
      new Option(
          "--cloud-config",
          "FILE",
          "The machines of the cluster's nodes, a MachineList in YAML: cloud-node-controller and"
              + " cloud-node-lifecycle-controller initialize, taint and delete nodes by it. The file"
              + " may change at any time.");

  private static final String FILE = "file";
  private static final Option PROVIDER =
      new Option(
          "--cloud-provider",
          FILE,
          "What knows the machines: %s, the one that there is (default: %s)."
              .formatted(FILE, FILE));
  private static final Option CONTROLLERS = ControllerChoiceOption.of(CloudControllerName.words());
  private static final Option PERIOD =
      new Option(
          "--node-monitor-period",
          "DURATION",
          "How often to ask what became of the machines of nodes that are not ready (default: %s)."
              .formatted(FlagValues.text(CloudSettings.MONITOR_PERIOD)));
  private static final Option STATUS_PERIOD =
      new Option(
          "--node-status-update-frequency",
          "DURATION",
          "How often to ask for the addresses of each node (default: %s)."
              .formatted(FlagValues.text(CloudSettings.STATUS_PERIOD)));
  private static final Option AT_ONCE =
      new Option(
          "--concurrent-node-syncs",
          "N",
          "How many nodes each controller handles at the same time (default: %d)."
              .formatted(CloudSettings.AT_ONCE));
  private static final int MOST_AT_ONCE = 1_000;

  /** Those of a process that runs nothing else. */
  public static final List<Option> OPTIONS =
      List.of(CONFIG, PROVIDER, CONTROLLERS, PERIOD, STATUS_PERIOD, AT_ONCE);

  private CloudOptions() {}

  /** The cloud of a process that runs nothing else. */
  public static CloudSettings read(Arguments arguments) {
    String provider = arguments.text(PROVIDER.name()).orElse(FILE);
    if (!provider.equals(FILE)) {
      throw new UsageException(
          "%s must be %s, not \"%s\".".formatted(PROVIDER.name(), FILE, provider));
    }
    int atOnce = arguments.number(AT_ONCE.name(), CloudSettings.AT_ONCE, 1, MOST_AT_ONCE);
    Path file =
        arguments
            .path(CONFIG.name())
            .orElseThrow(() ->
                new UsageException(
                    "%s is missing: it names the file with the machines."
                        .formatted(CONFIG.name())));
    return new CloudSettings(
        provider(file),
        FlagValues.duration(arguments, PERIOD, CloudSettings.MONITOR_PERIOD),
        FlagValues.duration(arguments, STATUS_PERIOD, CloudSettings.STATUS_PERIOD),
        atOnce);
  }

  /** The cloud of a server, if it has one. */
  public static Optional<CloudSettings> ofServer(Arguments arguments, Duration monitorPeriod) {
    return arguments
        .path(CONFIG.name())
        .map(file ->
            new CloudSettings(
                provider(file), monitorPeriod, CloudSettings.STATUS_PERIOD, CloudSettings.AT_ONCE));
  }

  private static FileCloudProvider provider(Path file) {
    return FileCloudProvider.open(file, LoggerFactory.getLogger("cloud-provider")::warn);
  }

  public static Set<CloudControllerName> controllers(Arguments arguments) {
    return ControllerChoiceOption.read(
        arguments,
        CloudControllerName.all(),
        CloudControllerName::choose,
        CloudControllerName.words());
  }
}
