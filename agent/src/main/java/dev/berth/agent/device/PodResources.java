package dev.berth.agent.device;

import dev.berth.agent.device.DeviceState.View;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Puts together what {@link PodResourcesLister} tells, from the pods and from who has what. */
public final class PodResources implements PodResourcesLister {
  private final Supplier<List<JsonObject>> pods;
  private final DeviceManager devices;
  private final Managers managers;

  /** Who knows which processors and memory containers have. For any thread. */
  public interface Managers {
    List<Integer> ownedCpus(String podUid, String container);

    List<OwnedMemory> ownedMemory(String podUid, String container);

    List<Integer> allocatableCpus();

    List<OwnedMemory> allocatableMemory();
  }

  /**
   * @param pods all that the node knows
   */
  public PodResources(Supplier<List<JsonObject>> pods, DeviceManager devices, Managers managers) {
    this.pods = pods;
    this.devices = devices;
    this.managers = managers;
  }

  @Override
  public List<PodDeviceList> list() {
    View view = devices.view();
    return pods.get().stream()
        .filter(pod -> !PodPhase.of(pod.object("status").text("phase", "")).finished())
        .map(pod -> of(pod, view))
        .toList();
  }

  @Override
  public Optional<PodDeviceList> get(String namespace, String name) {
    return pods.get().stream()
        .filter(pod ->
            Metadata.of(pod).namespace().equals(namespace) && Metadata.of(pod).name().equals(name))
        .findFirst()
        .map(pod -> of(pod, devices.view()));
  }

  private PodDeviceList of(JsonObject pod, View view) {
    Metadata metadata = Metadata.of(pod);
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    List<ContainerView> containers = new ArrayList<>(spec.initContainers());
    containers.removeIf(container -> !container.alwaysRestarts());
    containers.addAll(spec.containers());
    return new PodDeviceList(
        metadata.namespace(),
        metadata.name(),
        containers.stream().map(container -> of(metadata.uid(), container.name(), view)).toList());
  }

  private ContainerDevices of(String podUid, String container, View view) {
    List<OwnedDevice> owned = new ArrayList<>();
    view.assignments()
        .of(podUid, container)
        .forEach((resource, assignment) ->
            assignment
                .devices()
                .values()
                .forEach(device -> owned.add(new OwnedDevice(resource, device))));
    return new ContainerDevices(
        container,
        new Owned(
            owned, managers.ownedCpus(podUid, container), managers.ownedMemory(podUid, container)));
  }

  @Override
  public Owned allocatable() {
    List<OwnedDevice> all = new ArrayList<>();
    devices
        .view()
        .resources()
        .forEach((name, resource) ->
            resource.listed().values().stream()
                .filter(device -> resource.healthy().contains(device.id()))
                .forEach(device -> all.add(new OwnedDevice(name, device))));
    return new Owned(all, managers.allocatableCpus(), managers.allocatableMemory());
  }
}
