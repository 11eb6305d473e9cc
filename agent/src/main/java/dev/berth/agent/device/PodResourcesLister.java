package dev.berth.agent.device;

import dev.berth.policy.device.PluginDevice;
import java.util.List;
import java.util.Optional;

/**
 * The devices, processors and memory that pods have, for other programs of the machine, such as
 * those that measure them. For any thread; nothing blocks.
 */
public interface PodResourcesLister {

  /** A device of a resource. */
  record OwnedDevice(String resource, PluginDevice device) {}

  /** Memory of some NUMA nodes. */
  record OwnedMemory(String type, long bytes, List<Integer> numaNodes) {}

  /**
   * What there is.
   *
   * @param cpus that are somebody's alone, or can be
   */
  record Owned(List<OwnedDevice> devices, List<Integer> cpus, List<OwnedMemory> memory) {}

  /** What a container has; a container that has nothing is one, too. */
  record ContainerDevices(String container, Owned owned) {}

  /** What a pod's containers have, but for init containers that end. */
  record PodDeviceList(String namespace, String pod, List<ContainerDevices> containers) {}

  /** All pods that have not ended. */
  List<PodDeviceList> list();

  /** One pod, ended or not. */
  Optional<PodDeviceList> get(String namespace, String pod);

  /** All that works and can be given, whether pods have it or not. */
  Owned allocatable();
}
