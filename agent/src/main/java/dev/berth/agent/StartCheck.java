package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.MachineInfo;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.topology.ManagerPlan;
import dev.berth.agent.topology.ResourceManagers;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import dev.berth.policy.nodestatus.Allocatable;
import dev.berth.policy.pressure.Thresholds;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be so before a machine can be the node that its settings describe. */
final class StartCheck {
  private static final Logger LOG = LoggerFactory.getLogger("node-agent");

  /** The first Linux that can keep files in memory from being swapped. */
  private static final int[] NO_SWAP_KERNEL = {6, 4};

  private static final Pattern KERNEL = Pattern.compile("(\\d+)\\.(\\d+).*");

  private StartCheck() {}

  /**
   * What the node's managers do.
   *
   * @throws IOException if the machine cannot be this node; the message says what to change
   */
  static ManagerPlan check(AgentSettings settings, MachineReader machine) throws IOException {
    if (machine.isSwapOn()) {
      if (settings.pods().failsWithSwap()) {
        throw new IOException(
            "running with swap on is not supported, please disable swap or set --fail-swap-on flag"
                + " to false");
      }
      LOG.atInfo()
          .addKeyValue("swapBehavior", settings.pods().swap())
          .log("this machine swaps, and so may its pods");
      if (!keepsSecrets(machine.info().kernelVersion())) {
        LOG.warn(
            "this kernel cannot keep volumes in memory from being swapped (Linux 6.4 can): secrets"
                + " and emptyDirs with medium Memory may be written to disk");
      }
    }
    boolean mustKillAll = settings.pods().killsSingly().filter(singly -> !singly).isPresent();
    if (mustKillAll && !machine.hasCgroupsOfVersion2()) {
      throw new IOException(
          "singleProcessOOMKill: false needs cgroups of version 2, and this machine has version 1:"
              + " leave it out, or set it to true");
    }
    checkReservations(settings, machine);
    try {
      ManagerPlan plan = ManagerPlan.of(settings, machine);
      ResourceManagers.check(settings.root(), plan);
      return plan;
    } catch (ConfigException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A node that keeps more back than it has would have nothing for pods, without a word. */
  private static void checkReservations(AgentSettings settings, MachineReader machine)
      throws IOException {
    MachineInfo info = machine.info();
    Optional<String> problem =
        Allocatable.overcommitment(
            ResourceList.EMPTY
                .with(ResourceList.CPU, Quantity.of(info.cpus()))
                .with(
                    ResourceList.MEMORY, Quantity.of(info.memoryBytes(), QuantityFormat.BINARY_SI)),
            settings.reservations().system(),
            settings.reservations().kube(),
            Thresholds.parse(settings.eviction().thresholds()));
    if (problem.isPresent()) {
      throw new IOException("invalid Node Allocatable configuration. " + problem.get());
    }
  }

  /** Whether a kernel's file systems in memory know {@code noswap}. */
  static boolean keepsSecrets(String kernelVersion) {
    Matcher version = KERNEL.matcher(kernelVersion);
    if (!version.matches()) {
      return false;
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    return major > NO_SWAP_KERNEL[0] || (major == NO_SWAP_KERNEL[0] && minor >= NO_SWAP_KERNEL[1]);
  }
}
