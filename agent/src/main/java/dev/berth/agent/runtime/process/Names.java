package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.RuntimeFailure;
import java.util.regex.Pattern;

/** Names that become names of directories and cgroups, and words of a shell. */
final class Names {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*)");

  private Names() {}

  static void check(String reason, String what, String name) throws RuntimeFailure {
    if (!PLAIN.matcher(name).matches()) {
      throw new RuntimeFailure(
          reason, "the %s \"%s\" has characters that cannot be used".formatted(what, name));
    }
  }
}
