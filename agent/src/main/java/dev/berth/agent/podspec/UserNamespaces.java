package dev.berth.agent.podspec;

import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.agent.runtime.SandboxSpec;
import java.util.List;

/** Whether a pod can have users of its own, as {@code spec.hostUsers: false} asks. */
public final class UserNamespaces {
  private UserNamespaces() {}

  /**
   * Refuses a pod whose users would be those of the machine against its will.
   *
   * @param handlers what can run pods; none if the runtime does not say
   */
  public static void check(SandboxSpec spec, List<RuntimeHandler> handlers) throws SpecFailure {
    String name = spec.runtimeHandler();
    if (spec.hostUsers()
        || handlers.stream()
            .anyMatch(each -> each.name().equals(name) && each.hasUserNamespaces())) {
      return;
    }
    String who = name.isEmpty() ? "runtime" : "RuntimeClass handler \"" + name + "\"";
    String unknown =
        handlers.isEmpty() || handlers.stream().anyMatch(each -> each.name().equals(name))
            ? ""
            : ": the handler \"" + name + "\" is not known";
    throw new SpecFailure(
        "can't set `spec.hostUsers: false`, %s does not support user namespaces%s"
            .formatted(who, unknown));
  }
}
