package dev.berth.agent.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.config.ConfigFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * {@code featureGates} of a KubeletConfiguration, as kubelets of Kubernetes 1.36 read them:
 *
 * <ol>
 *   <li>A gate that no kubelet has is refused; so is a change of one that is locked.
 *   <li>{@code AllAlpha} and {@code AllBeta} speak for all gates of a stage that are not named.
 *   <li>A gate that is on needs those that it depends on.
 *   <li>What {@link #HONOURED} names takes effect here. All others are as upstream has them by
 *       default; that setting them otherwise changes nothing is said, in one line.
 * </ol>
 */
final class KubeletGates {
  static final String CPU_ALPHA_OPTIONS = "CPUManagerPolicyAlphaOptions";
  static final String CPU_BETA_OPTIONS = "CPUManagerPolicyBetaOptions";
  static final String IMAGE_VERIFICATION = "KubeletEnsureSecretPulledImages";
  static final String QUOTA_PERIOD = "CustomCPUCFSQuotaPeriod";
  static final String RESTART_PERIOD = "KubeletCrashLoopBackOffMax";
  static final String SERVING_CERTIFICATES = "RotateKubeletServerCertificate";
  static final String SHUTDOWN = "GracefulNodeShutdown";
  static final String SHUTDOWN_BY_PRIORITY = "GracefulNodeShutdownBasedOnPodPriority";

  private static final String ALL_ALPHA = "AllAlpha";
  private static final String ALL_BETA = "AllBeta";

  /** The topology manager's have no options to guard in 1.36. */
  private static final Set<String> HONOURED =
      Set.of(
          CPU_ALPHA_OPTIONS,
          CPU_BETA_OPTIONS,
          IMAGE_VERIFICATION,
          QUOTA_PERIOD,
          RESTART_PERIOD,
          SERVING_CERTIFICATES,
          SHUTDOWN,
          SHUTDOWN_BY_PRIORITY,
          "TopologyManagerPolicyAlphaOptions",
          "TopologyManagerPolicyBetaOptions");

  private static final Map<String, Gate> ALL = table();

  private record Gate(
      String name, String stage, boolean onByDefault, boolean isLocked, List<String> needs) {

    /** A line of the table. */
    static Gate parse(String line) {
      List<String> words = List.of(line.split(" ", -1));
      return new Gate(
          words.get(0),
          words.get(1),
          words.get(2).equals("true"),
          words.contains("locked"),
          words.stream()
              .filter(each -> each.startsWith("needs="))
              .flatMap(each -> Arrays.stream(each.substring("needs=".length()).split(",", -1)))
              .toList());
    }
  }

  private final Map<String, Boolean> said;

  private KubeletGates(Map<String, Boolean> said) {
    this.said = said;
  }

  private static Map<String, Gate> table() {
    Map<String, Gate> table = new LinkedHashMap<>();
    try (InputStream file =
            Objects.requireNonNull(
                KubeletGates.class.getResourceAsStream("kubelet-feature-gates.txt"));
        BufferedReader lines = new BufferedReader(new InputStreamReader(file, UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Gate::parse)
          .forEach(gate -> table.put(gate.name, gate));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table;
  }

  /**
   * Reads the gates of a configuration.
   *
   * @param fields the whole configuration, which gets what is wrong
   * @param warnings gets a sentence if gates have no effect
   */
  static KubeletGates read(ConfigFields fields, Consumer<String> warnings) {
    ConfigFields gates = fields.object("featureGates");
    Map<String, Boolean> said = new LinkedHashMap<>();
    List<String> idle = new ArrayList<>();
    for (String name : gates.tree().names()) {
      boolean isOn = gates.flag(name, false);
      Gate gate = ALL.get(name);
      if (gate == null && !name.equals(ALL_ALPHA) && !name.equals(ALL_BETA)) {
        gates.invalid(name, isOn, "unrecognized feature gate: " + name);
        continue;
      }
      said.put(name, isOn);
      if (gate != null && gate.isLocked && isOn != gate.onByDefault) {
        gates.invalid(
            name,
            isOn,
            "cannot set feature gate %s to %s, feature is locked to %s"
                .formatted(name, isOn, gate.onByDefault));
      } else if (gate != null && isOn != gate.onByDefault && !HONOURED.contains(name)) {
        idle.add(name);
      }
    }
    KubeletGates read = new KubeletGates(said);
    read.checkNeeds(gates);
    if (!idle.isEmpty()) {
      warnings.accept(
          "these featureGates have no effect, and all that they guard is as by default: "
              + String.join(", ", idle));
    }
    return read;
  }

  private void checkNeeds(ConfigFields gates) {
    for (Gate gate : ALL.values()) {
      List<String> off = gate.needs.stream().filter(each -> !isOn(each)).toList();
      if (!off.isEmpty() && isOn(gate.name)) {
        gates.invalid(
            gate.name,
            true,
            "%s is enabled, but depends on features that are disabled: [%s]"
                .formatted(gate.name, String.join(" ", off)));
      }
    }
  }

  boolean isOn(String name) {
    Gate gate = Objects.requireNonNull(ALL.get(name), name);
    if (said.containsKey(name)) {
      return said.get(name);
    }
    Optional<Boolean> all =
        switch (gate.stage) {
          case "alpha" -> Optional.ofNullable(said.get(ALL_ALPHA));
          case "beta" -> Optional.ofNullable(said.get(ALL_BETA));
          default -> Optional.empty();
        };
    return all.orElse(gate.onByDefault);
  }
}
