package dev.berth.policy.cpumanager;

import dev.berth.policy.topology.PolicyOptionException;
import dev.berth.policy.topology.TopologyPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of the policy {@code static} that are on.
 *
 * <p>Those that upstream has as alpha need the feature gate {@code CPUManagerPolicyAlphaOptions},
 * those of beta {@code CPUManagerPolicyBetaOptions}; the others are there for everybody.
 */
public record CpuOptions(Set<Option> on) {
  private static final String STABLE = "";

  public static final CpuOptions NONE = new CpuOptions(Set.of());

  /** An option, with upstream's name. */
  public enum Option {
    FULL_CORES("full-pcpus-only", STABLE),
    DISTRIBUTES_OVER_NUMA("distribute-cpus-across-numa", "Beta"),
    ALIGNS_BY_SOCKET("align-by-socket", "Alpha"),
    DISTRIBUTES_OVER_CORES("distribute-cpus-across-cores", "Alpha"),
    STRICT_RESERVATION("strict-cpu-reservation", STABLE),
    ALIGNS_BY_CACHE("prefer-align-cpus-by-uncorecache", STABLE);

    private final String text;
    private final String stage;

    Option(String text, String stage) {
      this.text = text;
      this.stage = stage;
    }
  }

  private static final String NAMES =
      Stream.of(Option.values()).map(each -> each.text).collect(Collectors.joining(", "));

  /** Of which stages options may be used, beside those that are stable. */
  public record Stages(boolean alpha, boolean beta) {
    public static final Stages DEFAULT = new Stages(false, true);

    private boolean allow(Option option) {
      return switch (option.stage) {
        case "Alpha" -> alpha;
        case "Beta" -> beta;
        default -> true;
      };
    }
  }

  public CpuOptions {
    on = Set.copyOf(on);
  }

  public boolean has(Option option) {
    return on.contains(option);
  }

  /** Upstream's names of those that are on. */
  public List<String> names() {
    return on.stream().sorted().map(each -> each.text).toList();
  }

  /**
   * Reads options by their names.
   *
   * @param allowed what the feature gates say
   * @throws PolicyOptionException if one cannot be used, or two cannot together
   */
  public static CpuOptions parse(Map<String, String> options, Stages allowed) {
    Set<Option> on = EnumSet.noneOf(Option.class);
    options.forEach((name, value) -> {
      Option option =
          Stream.of(Option.values())
              .filter(each -> each.text.equals(name))
              .findFirst()
              .orElseThrow(() ->
                  new PolicyOptionException(
                      "unknown CPU Manager Policy option: \"%s\": must be one of %s"
                          .formatted(name, NAMES)));
      if (!allowed.allow(option)) {
        throw new PolicyOptionException(
            ("CPU Manager Policy %1$s-level Options not enabled, but option \"%2$s\" provided: it"
                    + " needs the feature gate CPUManagerPolicy%1$sOptions")
                .formatted(option.stage, name));
      }
      if (PolicyOptionException.flag(name, value)) {
        on.add(option);
      }
    });
    refuse(on, Option.FULL_CORES, Option.DISTRIBUTES_OVER_CORES);
    refuse(on, Option.DISTRIBUTES_OVER_NUMA, Option.DISTRIBUTES_OVER_CORES);
    refuse(on, Option.ALIGNS_BY_CACHE, Option.DISTRIBUTES_OVER_CORES);
    refuse(on, Option.ALIGNS_BY_CACHE, Option.DISTRIBUTES_OVER_NUMA);
    return new CpuOptions(on);
  }

  private static void refuse(Set<Option> on, Option one, Option other) {
    if (on.contains(one) && on.contains(other)) {
      throw new PolicyOptionException(
          "static policy options %s and %s can not be used at the same time"
              .formatted(one.text, other.text));
    }
  }

  /** Why they cannot be used on a machine; empty if they can. */
  public Optional<String> conflict(TopologyPolicy policy, CpuTopology machine) {
    if (!has(Option.ALIGNS_BY_SOCKET)) {
      return Optional.empty();
    }
    if (policy == TopologyPolicy.SINGLE_NUMA_NODE) {
      return Optional.of(
          "Topolgy manager %s policy is incompatible with CPUManager %s policy option"
              .formatted(policy.text(), Option.ALIGNS_BY_SOCKET.text));
    }
    return machine.count(CpuTopology.Level.SOCKET) > machine.count(CpuTopology.Level.NUMA_NODE)
        ? Optional.of(
            "Align by socket is not compatible with hardware where number of sockets are more"
                + " than number of NUMA")
        : Optional.empty();
  }
}
