package dev.berth.agent.machine;

import java.util.ArrayList;
import java.util.List;

/** A list of processors as the kernel writes it: {@code 0-3,8}. */
final class CpuList {
  private CpuList() {}

  /** The processors in order; what is no such list has none. */
  static List<Integer> parse(String text) {
    List<Integer> cpus = new ArrayList<>();
    for (String part : text.strip().split(",", -1)) {
      int dash = part.indexOf('-');
      try {
        int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
        for (int cpu = first; cpu <= last; cpu++) {
          cpus.add(cpu);
        }
      } catch (NumberFormatException e) {
        return List.of();
      }
    }
    return cpus;
  }
}
