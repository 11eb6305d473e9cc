package dev.berth.agent.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.ResourceList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the facts of a node. It blocks, so it runs beside a loop. */
public final class NodeFactsReader {
  private final AgentSettings settings;
  private final MachineReader machine;
  private final NetworkAddresses network;
  private final NodeSources sources;

  public NodeFactsReader(
      AgentSettings settings,
      MachineReader machine,
      NetworkAddresses network,
      NodeSources sources) {
    this.settings = settings;
    this.machine = machine;
    this.network = network;
    this.sources = sources;
  }

  /** Reads them. What cannot be read is a problem that keeps the node from being ready. */
  public NodeFacts read() {
    List<String> problems = new ArrayList<>(sources.problems());
    return new NodeFacts(
        machine.info(),
        addresses(problems),
        storage(problems),
        extendedResources(problems),
        sources.devices(),
        sources.runtimeVersion(),
        sources.images(),
        sources.volumesInUse(),
        sources.runtimeHandlers(),
        sources.features(),
        sources.port(),
        List.copyOf(problems));
  }

  private List<String> addresses(List<String> problems) {
    List<String> addresses =
        NodeAddressChoice.of(
            settings.node().ips(), settings.node().hostname(), network.reachable());
    for (String wanted : settings.node().ips()) {
      if (!NodeAddressChoice.isAny(wanted) && !network.all().contains(wanted)) {
        problems.add(
            "node IP: \"%s\" not found in the host's network interfaces".formatted(wanted));
      }
    }
    return addresses;
  }

  private long storage(List<String> problems) {
    try {
      return Filesystem.of(existing(settings.root())).capacityBytes();
    } catch (IOException e) {
      problems.add("missing node capacity for resources: " + ResourceList.EPHEMERAL_STORAGE);
      return 0;
    }
  }

  /** The root itself may be made later. */
  private static Path existing(Path path) {
    Path at = path.toAbsolutePath();
    while (!at.toFile().exists() && at.getParent() != null) {
      at = at.getParent();
    }
    return at;
  }

  private ResourceList extendedResources(List<String> problems) {
    if (settings.node().extendedResources().isEmpty()) {
      return ResourceList.EMPTY;
    }
    try {
      return ExtendedResourcesFile.read(settings.node().extendedResources().get());
    } catch (ConfigException e) {
      problems.add("extended resources: " + e.getMessage());
      return ResourceList.EMPTY;
    }
  }
}
