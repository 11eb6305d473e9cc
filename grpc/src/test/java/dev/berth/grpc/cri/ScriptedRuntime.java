package dev.berth.grpc.cri;

import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.criapi.ImageServiceGrpc;
import dev.berth.grpc.criapi.RuntimeServiceGrpc;
import dev.berth.grpc.socket.UnixSockets;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A runtime that does what a test says, and nothing else: it hangs, lies, fails and goes away. */
final class ScriptedRuntime implements AutoCloseable {
  final Path socket;

  /** What it was asked for, such as {@code stop c1 0}. */
  final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  final Map<String, Cri.PodSandbox> sandboxes = Collections.synchronizedMap(new LinkedHashMap<>());
  final Map<String, Cri.ContainerStatus> containers =
      Collections.synchronizedMap(new LinkedHashMap<>());
  final Map<String, String> pullFailures = new ConcurrentHashMap<>();
  final LinkedBlockingQueue<StreamObserver<Cri.ContainerEventResponse>> watchers =
      new LinkedBlockingQueue<>();

  /** Each time that somebody asks for events. */
  final LinkedBlockingQueue<Cri.GetEventsRequest> eventRequests = new LinkedBlockingQueue<>();

  volatile boolean hangs;

  /** What it answers with; null if it does what it should. */
  volatile @Nullable Status failure;

  volatile boolean hasEvents;

  /** It ends events as soon as they are asked for. */
  volatile boolean endsEvents;

  volatile List<Cri.Image> images = List.of();
  volatile Cri.StatusResponse status = ready(true, "", "");
  volatile Cri.@Nullable CgroupDriver driver;

  private @Nullable UnixSockets sockets;
  private @Nullable Server server;

  ScriptedRuntime(Path socket) {
    this.socket = socket;
  }

  static Cri.StatusResponse ready(boolean network, String reason, String message) {
    return Cri.StatusResponse.newBuilder()
        .setStatus(
            Cri.RuntimeStatus.newBuilder()
                .addConditions(condition("RuntimeReady", true, "", ""))
                .addConditions(condition("NetworkReady", network, reason, message)))
        .build();
  }

  static Cri.RuntimeCondition condition(
      String type, boolean status, String reason, String message) {
    return Cri.RuntimeCondition.newBuilder()
        .setType(type)
        .setStatus(status)
        .setReason(reason)
        .setMessage(message)
        .build();
  }

  ScriptedRuntime start() throws IOException {
    Files.deleteIfExists(socket);
    sockets = new UnixSockets();
    server =
        sockets
            .server(socket)
            .addService(new RuntimeService())
            .addService(new ImageService())
            .build()
            .start();
    return this;
  }

  /** Goes away as a crash would. */
  @Override
  public void close() {
    if (server != null && sockets != null) {
      server.shutdownNow();
      sockets.close();
    }
  }

  private <T> void answer(StreamObserver<T> to, T message) {
    Status failed = failure;
    if (failed != null) {
      to.onError(failed.asException());
    } else if (!hangs) {
      to.onNext(message);
      to.onCompleted();
    }
  }

  void sandbox(String id, String uid, int attempt, boolean isReady, Map<String, String> labels) {
    sandboxes.put(
        id,
        Cri.PodSandbox.newBuilder()
            .setId(id)
            .setMetadata(
                Cri.PodSandboxMetadata.newBuilder()
                    .setName("web")
                    .setNamespace("default")
                    .setUid(uid)
                    .setAttempt(attempt))
            .setState(
                isReady ? Cri.PodSandboxState.SANDBOX_READY : Cri.PodSandboxState.SANDBOX_NOTREADY)
            .setCreatedAt(1_000_000_000L * (attempt + 1))
            .putAllLabels(labels)
            .build());
  }

  void container(String id, String uid, String name, Cri.ContainerState state) {
    containers.put(
        id,
        Cri.ContainerStatus.newBuilder()
            .setId(id)
            .setMetadata(Cri.ContainerMetadata.newBuilder().setName(name))
            .setState(state)
            .setCreatedAt(2_000_000_000L)
            .setStartedAt(2_000_000_000L)
            .putLabels(CriNames.POD_UID, uid)
            .putLabels(CriNames.CONTAINER_NAME, name)
            .build());
  }

  private final class RuntimeService extends RuntimeServiceGrpc.RuntimeServiceImplBase {
    @Override
    public void version(Cri.VersionRequest request, StreamObserver<Cri.VersionResponse> to) {
      answer(
          to,
          Cri.VersionResponse.newBuilder()
              .setRuntimeName("scripted")
              .setRuntimeVersion("1.0")
              .build());
    }

    @Override
    public void status(Cri.StatusRequest request, StreamObserver<Cri.StatusResponse> to) {
      answer(to, request.getVerbose() ? status : status.toBuilder().clearInfo().build());
    }

    @Override
    public void runtimeConfig(
        Cri.RuntimeConfigRequest request, StreamObserver<Cri.RuntimeConfigResponse> to) {
      Cri.CgroupDriver known = driver;
      if (known == null) {
        to.onError(Status.UNIMPLEMENTED.asException());
      } else {
        answer(
            to,
            Cri.RuntimeConfigResponse.newBuilder()
                .setLinux(Cri.LinuxRuntimeConfiguration.newBuilder().setCgroupDriver(known))
                .build());
      }
    }

    @Override
    public void updateRuntimeConfig(
        Cri.UpdateRuntimeConfigRequest request,
        StreamObserver<Cri.UpdateRuntimeConfigResponse> to) {
      calls.add("cidr " + request.getRuntimeConfig().getNetworkConfig().getPodCidr());
      answer(to, Cri.UpdateRuntimeConfigResponse.getDefaultInstance());
    }

    @Override
    public void listPodSandbox(
        Cri.ListPodSandboxRequest request, StreamObserver<Cri.ListPodSandboxResponse> to) {
      answer(to, Cri.ListPodSandboxResponse.newBuilder().addAllItems(sandboxes.values()).build());
    }

    @Override
    public void podSandboxStatus(
        Cri.PodSandboxStatusRequest request, StreamObserver<Cri.PodSandboxStatusResponse> to) {
      answer(to, Cri.PodSandboxStatusResponse.getDefaultInstance());
    }

    @Override
    public void listContainers(
        Cri.ListContainersRequest request, StreamObserver<Cri.ListContainersResponse> to) {
      answer(
          to,
          Cri.ListContainersResponse.newBuilder()
              .addAllContainers(
                  containers.values().stream()
                      .map(each ->
                          Cri.Container.newBuilder()
                              .setId(each.getId())
                              .setMetadata(each.getMetadata())
                              .setState(each.getState())
                              .putAllLabels(each.getLabelsMap())
                              .build())
                      .toList())
              .build());
    }

    @Override
    public void containerStatus(
        Cri.ContainerStatusRequest request, StreamObserver<Cri.ContainerStatusResponse> to) {
      Cri.ContainerStatus known = containers.get(request.getContainerId());
      if (known == null) {
        to.onError(Status.NOT_FOUND.asException());
      } else {
        answer(to, Cri.ContainerStatusResponse.newBuilder().setStatus(known).build());
      }
    }

    @Override
    public void stopContainer(
        Cri.StopContainerRequest request, StreamObserver<Cri.StopContainerResponse> to) {
      calls.add("stop " + request.getContainerId() + " " + request.getTimeout());
      containers.computeIfPresent(
          request.getContainerId(),
          (_, each) -> each.toBuilder().setState(Cri.ContainerState.CONTAINER_EXITED).build());
      answer(to, Cri.StopContainerResponse.getDefaultInstance());
    }

    @Override
    public void getContainerEvents(
        Cri.GetEventsRequest request, StreamObserver<Cri.ContainerEventResponse> to) {
      eventRequests.add(request);
      if (endsEvents) {
        to.onCompleted();
      } else if (hasEvents) {
        watchers.add(to);
      } else {
        to.onError(Status.UNIMPLEMENTED.asException());
      }
    }
  }

  private final class ImageService extends ImageServiceGrpc.ImageServiceImplBase {
    @Override
    public void pullImage(Cri.PullImageRequest request, StreamObserver<Cri.PullImageResponse> to) {
      String image = request.getImage().getImage();
      calls.add("pull " + image + " " + request.getAuth().getUsername());
      String failure = pullFailures.get(image + " " + request.getAuth().getUsername());
      if (failure != null) {
        to.onError(Status.UNKNOWN.withDescription(failure).asException());
      } else {
        answer(to, Cri.PullImageResponse.newBuilder().setImageRef("id-" + image).build());
      }
    }

    @Override
    public void listImages(
        Cri.ListImagesRequest request, StreamObserver<Cri.ListImagesResponse> to) {
      answer(to, Cri.ListImagesResponse.newBuilder().addAllImages(images).build());
    }

    @Override
    public void imageStatus(
        Cri.ImageStatusRequest request, StreamObserver<Cri.ImageStatusResponse> to) {
      answer(to, Cri.ImageStatusResponse.getDefaultInstance());
    }
  }
}
