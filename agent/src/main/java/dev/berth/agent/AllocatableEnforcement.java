package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.NodeAllocatable;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.core.ResourceList;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Keeps all pods of a node together within what it has for them. Where they use more than that
 * already, the kernel refuses the limit: evictions make room for it, so it is tried again every
 * minute.
 */
final class AllocatableEnforcement implements AutoCloseable {
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final Loop loop;
  private final ContainerRuntime runtime;
  private final NodeAllocatable allocatable;
  private final Events events;

  /**
   * How the node's events are told.
   *
   * @param normal takes a reason and a message
   * @param warning likewise
   */
  record Events(BiConsumer<String, String> normal, BiConsumer<String, String> warning) {}

  private AllocatableEnforcement(
      Time time, ContainerRuntime runtime, NodeAllocatable allocatable, Events events) {
    this.loop = time.start("node-allocatable");
    this.runtime = runtime;
    this.allocatable = allocatable;
    this.events = events;
  }

  static AllocatableEnforcement start(
      Time time, ContainerRuntime runtime, NodeAllocatable allocatable, Events events) {
    AllocatableEnforcement begun = new AllocatableEnforcement(time, runtime, allocatable, events);
    begun.loop.after(Duration.ZERO, begun::enforce);
    return begun;
  }

  /** What a machine has for pods, by what is reserved of it. */
  static NodeAllocatable allocatable(MachineReader machine, AgentSettings.Reservations reserved) {
    ResourceList all = reserved.system().plus(reserved.kube());
    long processes = machine.processes().capacity();
    return new NodeAllocatable(
        1000L * machine.info().cpus() - all.get(ResourceList.CPU).milliValue(),
        machine.info().memoryBytes() - all.get(ResourceList.MEMORY).value(),
        processes == 0
            ? OptionalLong.empty()
            : OptionalLong.of(processes - all.get("pid").value()));
  }

  private void enforce() {
    boolean isBegun =
        loop.call(
            () -> {
              try {
                runtime.confine(allocatable);
                return "";
              } catch (RuntimeFailure e) {
                return String.valueOf(e.getMessage());
              }
            },
            this::enforced);
    if (!isBegun) {
      loop.after(RETRY, this::enforce);
    }
  }

  private void enforced(String failure) {
    if (failure.isEmpty()) {
      events.normal.accept("NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    } else {
      events.warning.accept(
          "FailedNodeAllocatableEnforcement",
          "Failed to update Node Allocatable Limits: " + failure);
      loop.after(RETRY, this::enforce);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
