package dev.berth.agent.machine;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What does not change while a machine runs, or seldom.
 *
 * @param cpus the processors that are online
 * @param hugePages bytes by the size of a page in bytes
 * @param identity by which machines of one name are told apart
 * @param osImage such as {@code Debian GNU/Linux 12 (bookworm)}
 * @param architecture in Go's words, such as {@code amd64}
 */
public record MachineInfo(
    int cpus,
    long memoryBytes,
    long swapBytes,
    SortedMap<Long, Long> hugePages,
    List<NumaNode> numaNodes,
    Identity identity,
    String kernelVersion,
    String osImage,
    String architecture) {

  public MachineInfo {
    hugePages = new TreeMap<>(hugePages);
    numaNodes = List.copyOf(numaNodes);
  }

  /**
   * Which machine this is.
   *
   * @param machineId of its installation
   * @param systemUuid of its hardware; the machine id where the hardware has none
   * @param bootId another one each time it is started
   */
  public record Identity(String machineId, String systemUuid, String bootId) {}

  /** A part of the machine whose processors are near to its memory. */
  public record NumaNode(int number, List<Integer> cpus, long memoryBytes) {
    public NumaNode {
      cpus = List.copyOf(cpus);
    }
  }
}
