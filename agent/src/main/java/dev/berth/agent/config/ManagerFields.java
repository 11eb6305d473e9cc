package dev.berth.agent.config;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.policy.cpumanager.CpuOptions;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.memorymanager.ReservedMemory;
import dev.berth.policy.topology.PolicyOptionException;
import dev.berth.policy.topology.TopologyOptions;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.policy.topology.TopologyScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads what a KubeletConfiguration says of the managers of processors, memory and topology. */
final class ManagerFields {
  private final ConfigFields fields;
  private final KubeletGates gates;

  ManagerFields(ConfigFields fields, KubeletGates gates) {
    this.fields = fields;
    this.gates = gates;
  }

  ManagerSettings read(ManagerSettings before) {
    boolean staticCpus = isStatic("cpuManagerPolicy", "none", "static", before.hasStaticCpus());
    ConfigFields cpuOptions = fields.object("cpuManagerPolicyOptions");
    if (!staticCpus && !cpuOptions.tree().isEmpty()) {
      fields.invalid(
          "cpuManagerPolicyOptions",
          "",
          "None policy: received unsupported options; they are for the policy static");
    }
    CpuOptions.Stages allowed =
        new CpuOptions.Stages(
            gates.isOn(KubeletGates.CPU_ALPHA_OPTIONS), gates.isOn(KubeletGates.CPU_BETA_OPTIONS));
    return new ManagerSettings(
        policy(before.topologyPolicy()),
        scope(before.scope()),
        options("topologyManagerPolicyOptions", TopologyOptions::parse, before.topologyOptions()),
        staticCpus,
        staticCpus
            ? options(
                "cpuManagerPolicyOptions",
                texts -> CpuOptions.parse(texts, allowed),
                before.cpuOptions())
            : CpuOptions.NONE,
        reservedCpus(before.reservedCpus()),
        isStatic("memoryManagerPolicy", "None", "Static", before.hasStaticMemory()),
        fields.has("reservedMemory") ? reservedMemory() : before.reservedMemory(),
        before.topologyFile());
  }

  private boolean isStatic(String name, String none, String pinned, boolean before) {
    String text = fields.text(name, before ? pinned : none);
    if (!text.equals(none) && !text.equals(pinned)) {
      fields.invalid(name, text, "unknown policy: must be %s or %s".formatted(none, pinned));
    }
    return text.equals(pinned);
  }

  private TopologyPolicy policy(TopologyPolicy before) {
    String text = fields.text("topologyManagerPolicy", before.text());
    return TopologyPolicy.of(text)
        .orElseGet(() -> {
          fields.invalid(
              "topologyManagerPolicy",
              text,
              "must be one of: [\"none\" \"best-effort\" \"restricted\" \"single-numa-node\"]");
          return before;
        });
  }

  private TopologyScope scope(TopologyScope before) {
    String text = fields.text("topologyManagerScope", before.text());
    return TopologyScope.of(text)
        .orElseGet(() -> {
          fields.invalid("topologyManagerScope", text, "must be one of: \"container\", or \"pod\"");
          return before;
        });
  }

  private <T> T options(String name, Function<Map<String, String>, T> parse, T before) {
    ConfigFields object = fields.object(name);
    Map<String, String> texts = new TreeMap<>();
    object.tree().names().forEach(each -> texts.put(each, object.text(each, "")));
    try {
      return texts.isEmpty() ? before : parse.apply(texts);
    } catch (PolicyOptionException e) {
      fields.invalid(name, "", String.valueOf(e.getMessage()));
      return before;
    }
  }

  private CpuSet reservedCpus(CpuSet before) {
    String text = fields.text("reservedSystemCPUs", "");
    try {
      return text.isEmpty() ? before : CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      fields.invalid(
          "reservedSystemCPUs",
          text,
          "unable to parse reservedSystemCPUs (--reserved-cpus): %s: must be a list such as 0-1,8"
              .formatted(e.getMessage()));
      return before;
    }
  }

  private List<ReservedMemory> reservedMemory() {
    List<ReservedMemory> reserved = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (ConfigFields each : fields.objects("reservedMemory")) {
      each.onlyHas(Set.of("numaNode", "limits"));
      int node = (int) each.inRange("numaNode", 0, 0, Integer.MAX_VALUE);
      ConfigFields limits = each.object("limits");
      SortedMap<String, Quantity> amounts = new TreeMap<>();
      for (String type : limits.tree().names()) {
        if (!type.equals(ResourceList.MEMORY) && !type.startsWith("hugepages-")) {
          limits.invalid(
              type,
              "",
              ("the limit type \"%s\" for NUMA node %d is not supported, only [memory"
                      + " hugepages-<HugePageSize>] is accepted")
                  .formatted(type, node));
        } else if (!seen.add(node + " " + type)) {
          limits.invalid(
              type,
              "",
              "the reserved memory has a duplicate value for NUMA node %d and resource \"%s\""
                  .formatted(node, type));
        } else {
          amount(limits, type, node).ifPresent(amount -> amounts.put(type, amount));
        }
      }
      reserved.add(new ReservedMemory(node, new ResourceList(amounts)));
    }
    return reserved;
  }

  private static Optional<Quantity> amount(ConfigFields limits, String type, int node) {
    String text = limits.text(type, "");
    try {
      Quantity amount = Quantity.parse(text);
      if (amount.signum() > 0) {
        return Optional.of(amount);
      }
      limits.invalid(
          type,
          text,
          "reserved memory may not be zero for NUMA node %d and resource \"%s\""
              .formatted(node, type));
    } catch (QuantityFormatException e) {
      limits.invalid(type, text, "must be a quantity such as 1Gi");
    }
    return Optional.empty();
  }

  /**
   * What is reserved if certain processors are: as many as these, whatever else was said of them.
   */
  static AgentSettings.Reservations reserving(AgentSettings.Reservations before, CpuSet cpus) {
    if (cpus.isEmpty()) {
      return before;
    }
    SortedMap<String, Quantity> kube = new TreeMap<>(before.kube().amounts());
    kube.remove(ResourceList.CPU);
    return new AgentSettings.Reservations(
        before.system().with(ResourceList.CPU, Quantity.of(cpus.size())), new ResourceList(kube));
  }
}
