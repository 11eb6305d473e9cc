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

  /** How many processes and threads the machine may have. */
  long mostProcesses();

  /** What the agent itself uses, and all pods together. */
  List<SystemContainer> systemContainers();

  /** Where pods and images are kept. */
  Storage storage();

  /** The volumes of a pod. */
  List<Volume> volumes(PodId pod);

  /**
   * What the whole machine uses.
   *
   * @param since when the machine was started
   */
  record MachineUsage(Instant since, PodUsage.Usage usage, List<PodUsage.Interface> network) {}

  /**
   * What is no pod's.
   *
   * @param name in Kubernetes' words
   */
  record SystemContainer(String name, Instant since, PodUsage.Usage usage) {}

  /**
   * Where pods and images are kept.
   *
   * @param node the file system that pods write to
   * @param images the one of images
   * @param imageBytes what images take of it
   */
  record Storage(FileSystem node, FileSystem images, long imageBytes) {}

  /** Space on a file system. */
  record FileSystem(
      long capacityBytes, long availableBytes, long usedBytes, long inodes, long inodesFree) {}

  /**
   * A volume.
   *
   * @param stats as {@code /stats/summary} shows them
   * @param isLocalStorage whether it counts as what its pod keeps on the node
   */
  record Volume(JsonObject stats, boolean isLocalStorage) {}
}
