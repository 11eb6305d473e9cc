package dev.berth.agent.topology;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cpumanager.CpuAssignments;
import dev.berth.policy.cpumanager.CpuSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code cpu_manager_state}, as a kubelet writes and reads it. */
final class CpuStateFile {
  static final String NAME = "cpu_manager_state";
  static final String POLICY = "static";

  private CpuStateFile() {}

  static JsonObject write(CpuAssignments assignments) {
    JsonObject.Builder entries = new JsonObject.Builder();
    assignments
        .exclusive()
        .forEach((pod, containers) -> {
          JsonObject.Builder each = new JsonObject.Builder();
          containers.forEach((name, cpus) -> each.put(name, cpus.toString()));
          entries.put(pod, each.build());
        });
    JsonObject.Builder file =
        new JsonObject.Builder()
            .put("policyName", POLICY)
            .put("defaultCpuSet", assignments.shared().toString());
    if (!assignments.exclusive().isEmpty()) {
      file.put("entries", entries.build());
    }
    return file.put("checksum", checksum(POLICY, assignments.shared().toString(), entries.build()))
        .build();
  }

  private static long checksum(String policy, String shared, JsonObject entries) {
    SortedMap<String, String> pods = new TreeMap<>();
    entries.forEach((pod, containers) -> {
      SortedMap<String, String> each = new TreeMap<>(((JsonObject) containers).toStrings());
      pods.put(pod, map(each));
    });
    return Checksum.of(
        ("(*state.CPUManagerCheckpoint){PolicyName:(string)%s DefaultCPUSet:(string)%s"
                + " Entries:(map[string]map[string]string)%s Checksum:(checksum.Checksum)0}")
            .formatted(policy, shared, map(pods)));
  }

  static String map(Map<String, String> entries) {
    return entries.entrySet().stream()
        .map(each -> each.getKey() + ":" + each.getValue())
        .collect(Collectors.joining(" ", "map[", "]"));
  }

  /**
   * @param policy what is configured
   * @throws IllegalArgumentException if it is damaged, or another policy's; the message says so
   */
  static CpuAssignments read(JsonObject file, String policy) {
    JsonObject entries = file.object("entries");
    String written = file.text("policyName", "");
    // Older kubelets spelled the field otherwise; Go does not mind.
    String shared = file.text("defaultCpuSet", file.text("defaultCPUSet", ""));
    for (String pod : entries.names()) {
      if (!(entries.get(pod) instanceof JsonObject)) {
        throw new IllegalArgumentException("checkpoint is corrupted");
      }
    }
    long checksum = file.integer("checksum").orElse(0);
    if (checksum != 0 && checksum != checksum(written, shared, entries)) {
      throw new IllegalArgumentException("checkpoint is corrupted");
    }
    if (!written.equals(policy)) {
      throw new IllegalArgumentException(
          "configured policy \"%s\" differs from state checkpoint policy \"%s\""
              .formatted(policy, written));
    }
    SortedMap<String, SortedMap<String, CpuSet>> exclusive = new TreeMap<>();
    for (String pod : entries.names()) {
      SortedMap<String, CpuSet> containers = new TreeMap<>();
      entries
          .object(pod)
          .toStrings()
          .forEach((name, cpus) ->
              containers.put(
                  name,
                  parse(
                      cpus,
                      "could not parse cpuset \"%s\" for container \"%s\" in pod \"%s\""
                          .formatted(cpus, name, pod))));
      exclusive.put(pod, containers);
    }
    return new CpuAssignments(
        parse(shared, "could not parse default cpu set \"%s\"".formatted(shared)), exclusive);
  }

  private static CpuSet parse(String text, String problem) {
    try {
      return CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(problem + ": " + e.getMessage(), e);
    }
  }
}
