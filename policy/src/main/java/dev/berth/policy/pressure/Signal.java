package dev.berth.policy.pressure;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.QuantityFormat;
import java.util.Optional;

/** What is watched so that a node does not run out of it. */
public enum Signal {
  MEMORY_AVAILABLE("memory.available", ResourceList.MEMORY, Condition.MEMORY_PRESSURE),
  /** Memory within what pods may use in all. */
  ALLOCATABLE_MEMORY_AVAILABLE(
      "allocatableMemory.available", ResourceList.MEMORY, Condition.MEMORY_PRESSURE),
  NODE_FS_AVAILABLE("nodefs.available", ResourceList.EPHEMERAL_STORAGE, Condition.DISK_PRESSURE),
  NODE_FS_INODES_FREE("nodefs.inodesFree", Signal.INODES, Condition.DISK_PRESSURE),
  IMAGE_FS_AVAILABLE("imagefs.available", ResourceList.EPHEMERAL_STORAGE, Condition.DISK_PRESSURE),
  IMAGE_FS_INODES_FREE("imagefs.inodesFree", Signal.INODES, Condition.DISK_PRESSURE),
  CONTAINER_FS_AVAILABLE(
      "containerfs.available", ResourceList.EPHEMERAL_STORAGE, Condition.DISK_PRESSURE),
  CONTAINER_FS_INODES_FREE("containerfs.inodesFree", Signal.INODES, Condition.DISK_PRESSURE),
  PID_AVAILABLE("pid.available", Signal.PIDS, Condition.PID_PRESSURE);

  /** What messages call them; neither is a resource that pods request. */
  public static final String INODES = "inodes";

  public static final String PIDS = "pids";

  private final String text;
  private final String resource;
  private final String condition;

  Signal(String text, String resource, String condition) {
    this.text = text;
    this.resource = resource;
    this.condition = condition;
  }

  /** As configurations write it; empty for what they may not name. */
  public static Optional<Signal> of(String text) {
    for (Signal signal : values()) {
      if (signal.text.equals(text)) {
        return Optional.of(signal);
      }
    }
    return Optional.empty();
  }

  public String text() {
    return text;
  }

  /** What there is too little of. */
  public String resource() {
    return resource;
  }

  /** The condition of the node that reports it. */
  public String condition() {
    return condition;
  }

  public boolean isMemory() {
    return resource.equals(ResourceList.MEMORY);
  }

  /** How amounts of it are written. */
  QuantityFormat format() {
    return resource.equals(INODES) || resource.equals(PIDS)
        ? QuantityFormat.DECIMAL_SI
        : QuantityFormat.BINARY_SI;
  }

  @Override
  public String toString() {
    return text;
  }
}
