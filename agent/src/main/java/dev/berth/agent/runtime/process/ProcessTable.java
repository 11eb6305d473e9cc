package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Processes as /proc shows them. */
record ProcessTable(Path proc) {

  /**
   * A process, told apart from a later one of the same number.
   *
   * @param start when it began, in the kernel's count
   */
  record Known(long process, long start) {

    /** As shims write it: two numbers. */
    static Optional<Known> parse(String text) {
      String[] words = text.strip().split(" ", -1);
      return words.length == 2 && Accounts.number(words[0]).isPresent()
          ? Optional.of(new Known(Long.parseLong(words[0]), Long.parseLong(words[1])))
          : Optional.empty();
    }
  }

  boolean isAlive(Known known) {
    List<String> fields = fields(known.process);
    return fields.size() > 19
        && fields.get(19).equals(Long.toString(known.start))
        && !fields.get(0).equals("Z");
  }

  /** The parent of a process; empty if it has ended. */
  OptionalLong parent(long process) {
    List<String> fields = fields(process);
    return fields.size() > 1
        ? OptionalLong.of(Long.parseLong(fields.get(1)))
        : OptionalLong.empty();
  }

  /** What stands behind a process's name, which may hold anything: its state comes first. */
  private List<String> fields(long process) {
    try {
      String text =
          Files.readString(
              proc.resolve(Long.toString(process)).resolve("stat"), StandardCharsets.ISO_8859_1);
      return List.of(text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * The first process of a container.
   *
   * @param shim the shell that holds it
   * @param members all processes of its cgroup
   * @param isParentFirst whether the shim's child itself is it, rather than a child of that
   */
  OptionalLong first(long shim, List<Long> members, boolean isParentFirst) {
    Set<Long> sorted = new TreeSet<>(members);
    for (long member : sorted) {
      long parent = parent(member).orElse(0);
      boolean isOfShim = parent == shim || (parent > 1 && parent(parent).orElse(0) == shim);
      if (isOfShim && !sorted.contains(parent)) {
        return isParentFirst ? OptionalLong.of(member) : childOf(member, sorted);
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong childOf(long process, Set<Long> members) {
    return members.stream()
        .mapToLong(Long::longValue)
        .filter(member -> parent(member).orElse(0) == process)
        .findFirst();
  }
}
