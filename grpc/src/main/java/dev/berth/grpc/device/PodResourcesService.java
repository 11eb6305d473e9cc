package dev.berth.grpc.device;

import dev.berth.agent.device.PodResourcesLister;
import dev.berth.grpc.podresources.AllocatableResourcesRequest;
import dev.berth.grpc.podresources.AllocatableResourcesResponse;
import dev.berth.grpc.podresources.ContainerDevices;
import dev.berth.grpc.podresources.ContainerMemory;
import dev.berth.grpc.podresources.ContainerResources;
import dev.berth.grpc.podresources.GetPodResourcesRequest;
import dev.berth.grpc.podresources.GetPodResourcesResponse;
import dev.berth.grpc.podresources.ListPodResourcesRequest;
import dev.berth.grpc.podresources.ListPodResourcesResponse;
import dev.berth.grpc.podresources.NUMANode;
import dev.berth.grpc.podresources.PodResources;
import dev.berth.grpc.podresources.PodResourcesListerGrpc;
import dev.berth.grpc.podresources.TopologyInfo;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What pods have, as a kubelet tells it: each device by itself, and once for each NUMA node that it
 * is near; the processors that a container has for itself; memory by the nodes that it is from.
 */
final class PodResourcesService extends PodResourcesListerGrpc.PodResourcesListerImplBase {
  private final PodResourcesLister lister;

  PodResourcesService(PodResourcesLister lister) {
    this.lister = lister;
  }

  @Override
  public void list(
      ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> answer) {
    ListPodResourcesResponse.Builder response = ListPodResourcesResponse.newBuilder();
    lister.list().forEach(pod -> response.addPodResources(message(pod)));
    answer.onNext(response.build());
    answer.onCompleted();
  }

  @Override
  public void get(GetPodResourcesRequest request, StreamObserver<GetPodResourcesResponse> answer) {
    Optional<PodResourcesLister.PodDeviceList> pod =
        lister.get(request.getPodNamespace(), request.getPodName());
    if (pod.isEmpty()) {
      String why =
          "pod %s in namespace %s not found"
              .formatted(request.getPodName(), request.getPodNamespace());
      answer.onError(Status.UNKNOWN.withDescription(why).asRuntimeException());
      return;
    }
    answer.onNext(GetPodResourcesResponse.newBuilder().setPodResources(message(pod.get())).build());
    answer.onCompleted();
  }

  @Override
  public void getAllocatableResources(
      AllocatableResourcesRequest request, StreamObserver<AllocatableResourcesResponse> answer) {
    PodResourcesLister.Owned all = lister.allocatable();
    answer.onNext(
        AllocatableResourcesResponse.newBuilder()
            .addAllDevices(messages(all.devices()))
            .addAllCpuIds(all.cpus().stream().map(Integer::longValue).toList())
            .addAllMemory(memory(all.memory()))
            .build());
    answer.onCompleted();
  }

  private static PodResources message(PodResourcesLister.PodDeviceList pod) {
    PodResources.Builder message =
        PodResources.newBuilder().setName(pod.pod()).setNamespace(pod.namespace());
    pod.containers()
        .forEach(container ->
            message.addContainers(
                ContainerResources.newBuilder()
                    .setName(container.container())
                    .addAllDevices(messages(container.owned().devices()))
                    .addAllCpuIds(
                        container.owned().cpus().stream().map(Integer::longValue).toList())
                    .addAllMemory(memory(container.owned().memory()))));
    return message.build();
  }

  private static List<ContainerMemory> memory(List<PodResourcesLister.OwnedMemory> memory) {
    return memory.stream()
        .map(each ->
            ContainerMemory.newBuilder()
                .setMemoryType(each.type())
                .setSize(each.bytes())
                .setTopology(
                    TopologyInfo.newBuilder()
                        .addAllNodes(
                            each.numaNodes().stream()
                                .map(node -> NUMANode.newBuilder().setID(node).build())
                                .toList()))
                .build())
        .toList();
  }

  private static List<ContainerDevices> messages(List<PodResourcesLister.OwnedDevice> devices) {
    List<ContainerDevices> messages = new ArrayList<>();
    for (PodResourcesLister.OwnedDevice owned : devices) {
      ContainerDevices plain =
          ContainerDevices.newBuilder()
              .setResourceName(owned.resource())
              .addDeviceIds(owned.device().id())
              .build();
      List<Long> nodes = owned.device().numaNodes();
      if (nodes.isEmpty()) {
        messages.add(plain);
      }
      for (long node : nodes) {
        messages.add(
            plain.toBuilder()
                .setTopology(TopologyInfo.newBuilder().addNodes(NUMANode.newBuilder().setID(node)))
                .build());
      }
    }
    return messages;
  }
}
