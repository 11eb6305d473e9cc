package dev.berth.agent.device;

import dev.berth.policy.device.PluginDevice;
import java.util.List;
import java.util.Optional;

/**
 * The devices that pods have, for other programs of the machine, such as those that measure them.
 * For any thread; nothing blocks.
 */
public interface PodResourcesLister {

  /** A device of a resource. */
  record OwnedDevice(String resource, PluginDevice device) {}

  /** The devices of a container; a container without any is one, too. */
  record ContainerDevices(String container, List<OwnedDevice> devices) {}

  /** The devices of a pod's containers, but those of init containers that end. */
  record PodDeviceList(String namespace, String pod, List<ContainerDevices> containers) {}

  /** All pods that have not ended. */
  List<PodDeviceList> list();

  /** One pod, ended or not. */
  Optional<PodDeviceList> get(String namespace, String pod);

  /** All devices that work, whether pods have them or not. */
  List<OwnedDevice> allocatable();
}
