package dev.berth.agent.server;

import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What other parts of the agent know and the node's port shows. All methods may block. */
public interface NodeDocuments {

  /** The configuration in use, as a {@code KubeletConfiguration}. */
  JsonObject configuration();

  /** What is wrong with the agent; empty if it is healthy. */
  Optional<String> unhealthy();

  /** What the whole machine uses. */
  MachineUsage machine();

  /** The volumes of a pod, as {@code /stats/summary} shows them. */
  List<JsonObject> volumes(PodId pod);

  /**
   * What the whole machine uses.
   *
   * @param since when the machine was started
   * @param availableBytes of memory, as evictions count it
   * @param swapAvailableBytes of swap that is free
   * @param fileSystem where pods keep what they write
   */
  record MachineUsage(
      Instant since,
      PodUsage.Usage usage,
      long availableBytes,
      long swapAvailableBytes,
      PodUsage.Traffic network,
      FileSystem fileSystem) {}

  /** Space on a file system. */
  record FileSystem(
      long capacityBytes, long availableBytes, long usedBytes, long inodes, long inodesFree) {}
}
