package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Which kernel parameters a pod may have of its own: those that its namespaces have. */
final class Sysctls {
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]+([./][A-Za-z0-9_-]+)+");
  private static final Pattern OF_IPC =
      Pattern.compile("kernel\\.(shm|msg)[a-z_]*|kernel\\.sem|fs\\.mqueue\\.[a-z_]+");

  private Sysctls() {}

  /** Those of a pod, with dots between the parts of names; fails for one that is the machine's. */
  static Map<String, String> of(SandboxSpec spec) throws RuntimeFailure {
    Map<String, String> result = new TreeMap<>();
    for (Map.Entry<String, String> each : spec.sysctls().entrySet()) {
      String name = each.getKey().replace('/', '.');
      boolean isOfPod =
          (name.startsWith("net.") && !spec.hostNetwork())
              || (OF_IPC.matcher(name).matches() && !spec.hostIpc());
      if (!NAME.matcher(name).matches() || !isOfPod) {
        throw new RuntimeFailure(
            "CreatePodSandboxError",
            "sysctl \"%s\" cannot be set for a pod: it belongs to the machine"
                .formatted(each.getKey()));
      }
      result.put(name, each.getValue());
    }
    return result;
  }
}
