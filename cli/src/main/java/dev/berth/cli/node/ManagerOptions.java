package dev.berth.cli.node;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The options that say what is reserved, who gets processors and memory for itself, and what may be
 * swapped, under the names that a kubelet's have. They become fields of its configuration, where
 * they are checked.
 */
final class ManagerOptions {
  private static final Option SYSTEM_RESERVED =
      new Option(
          "--system-reserved",
          "RESOURCE=AMOUNT,...",
          "What pods do not get since the system needs it, such as cpu=500m,memory=1Gi.");
  private static final Option KUBE_RESERVED =
      new Option(
          "--kube-reserved",
          "RESOURCE=AMOUNT,...",
          "What pods do not get since the agent needs it, likewise.");
  private static final Option RESERVED_CPUS =
      new Option(
          "--reserved-cpus",
          "LIST",
          "Which processors are reserved, such as 0-1,8; instead of the amounts of the two above.");
  private static final Option CPU_POLICY =
      new Option(
          "--cpu-manager-policy",
          "none|static",
          "Whether containers of Guaranteed pods that ask for whole processors have them for"
              + " themselves (default: none).");
  private static final Option CPU_OPTIONS =
      new Option(
          "--cpu-manager-policy-options",
          "NAME=BOOL,...",
          "Options of the policy static: full-pcpus-only, distribute-cpus-across-numa,"
              + " strict-cpu-reservation, prefer-align-cpus-by-uncorecache.");
  private static final Option CPU_PERIOD =
      new Option(
          "--cpu-manager-reconcile-period",
          "DURATION",
          "Has no effect: containers are moved as soon as others come and go.");
  private static final Option MEMORY_POLICY =
      new Option(
          "--memory-manager-policy",
          "None|Static",
          "Whether containers of Guaranteed pods have memory of certain NUMA nodes (default:"
              + " None).");
  private static final Option RESERVED_MEMORY =
      new Option(
          "--reserved-memory",
          "NODE:RESOURCE=AMOUNT,...;...",
          "What is reserved of each NUMA node, such as"
              + " 0:memory=1Gi,hugepages-2Mi=64Mi;1:memory=1Gi.");
  private static final Option TOPOLOGY_POLICY =
      new Option(
          "--topology-manager-policy",
          "POLICY",
          "Whether a pod must have processors, memory and devices close to each other: none"
              + " (default), best-effort, restricted or single-numa-node.");
  private static final Option TOPOLOGY_SCOPE =
      new Option(
          "--topology-manager-scope",
          "container|pod",
          "Whose resources have to be close to each other (default: container).");
  private static final Option TOPOLOGY_OPTIONS =
      new Option(
          "--topology-manager-policy-options",
          "NAME=VALUE,...",
          "prefer-closest-numa-nodes=BOOL, max-allowable-numa-nodes=NUMBER.");
  static final Option TOPOLOGY_FILE =
      new Option(
          "--topology-file",
          "FILE",
          "Describes the machine's NUMA nodes and processors instead of its kernel"
              + " (kind MachineTopology), to try policies out.");
  static final Option FAIL_SWAP_ON =
      new Option(
          "--fail-swap-on",
          "[=BOOL]",
          "Whether a machine that swaps cannot be a node (default: true; with \"berth up\","
              + " false).");

  static final List<Option> ALL =
      List.of(
          SYSTEM_RESERVED,
          KUBE_RESERVED,
          RESERVED_CPUS,
          CPU_POLICY,
          CPU_OPTIONS,
          CPU_PERIOD,
          MEMORY_POLICY,
          RESERVED_MEMORY,
          TOPOLOGY_POLICY,
          TOPOLOGY_SCOPE,
          TOPOLOGY_OPTIONS,
          TOPOLOGY_FILE,
          FAIL_SWAP_ON);

  private static final Map<Option, String> TEXTS =
      Map.of(
          RESERVED_CPUS, "reservedSystemCPUs",
          CPU_POLICY, "cpuManagerPolicy",
          CPU_PERIOD, "cpuManagerReconcilePeriod",
          MEMORY_POLICY, "memoryManagerPolicy",
          TOPOLOGY_POLICY, "topologyManagerPolicy",
          TOPOLOGY_SCOPE, "topologyManagerScope");

  private static final Map<Option, String> PAIRS =
      Map.of(
          SYSTEM_RESERVED, "systemReserved",
          KUBE_RESERVED, "kubeReserved",
          CPU_OPTIONS, "cpuManagerPolicyOptions",
          TOPOLOGY_OPTIONS, "topologyManagerPolicyOptions");

  private ManagerOptions() {}

  /** The fields that they set. */
  static JsonObject fields(Arguments arguments) {
    JsonObject fields = JsonObject.EMPTY;
    for (Option option : ALL) {
      if (arguments.has(option.name())) {
        fields = with(fields, option, arguments);
      }
    }
    return fields;
  }

  private static JsonObject with(JsonObject fields, Option option, Arguments arguments) {
    String text = TEXTS.get(option);
    if (text != null) {
      return fields.with(text, arguments.text(option.name()).orElse(""));
    }
    String pairs = PAIRS.get(option);
    if (pairs != null) {
      return fields.with(pairs, pairs(option, arguments.text(option.name()).orElse("")));
    }
    if (option.equals(FAIL_SWAP_ON)) {
      return fields.with("failSwapOn", FlagValues.flag(arguments, option));
    }
    return option.equals(RESERVED_MEMORY)
        ? fields.with("reservedMemory", reservedMemory(arguments.text(option.name()).orElse("")))
        : fields;
  }

  private static JsonObject pairs(Option option, String text) {
    JsonObject pairs = JsonObject.EMPTY;
    for (String each : text.split(",", -1)) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw new UsageException(
            "%s takes %s, not \"%s\".".formatted(option.name(), option.value(), text));
      }
      pairs = pairs.with(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
    }
    return pairs;
  }

  private static JsonArray reservedMemory(String text) {
    List<JsonObject> nodes = new ArrayList<>();
    for (String each : text.split(";", -1)) {
      int colon = each.indexOf(':');
      try {
        long node = Long.parseLong(colon < 0 ? "" : each.substring(0, colon).strip());
        nodes.add(
            JsonObject.of("numaNode", node)
                .with("limits", pairs(RESERVED_MEMORY, each.substring(colon + 1))));
      } catch (NumberFormatException e) {
        throw new UsageException(
            "%s takes %s, not \"%s\"."
                .formatted(RESERVED_MEMORY.name(), RESERVED_MEMORY.value(), text));
      }
    }
    return JsonArray.copyOf(nodes);
  }
}
