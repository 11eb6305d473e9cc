package dev.berth.grpc.device;

import dev.berth.agent.device.Answer;
import dev.berth.agent.device.PluginConnection;
import dev.berth.agent.device.PluginOptions;
import dev.berth.grpc.deviceplugin.AllocateRequest;
import dev.berth.grpc.deviceplugin.AllocateResponse;
import dev.berth.grpc.deviceplugin.CDIDevice;
import dev.berth.grpc.deviceplugin.ContainerAllocateRequest;
import dev.berth.grpc.deviceplugin.ContainerAllocateResponse;
import dev.berth.grpc.deviceplugin.ContainerPreferredAllocationRequest;
import dev.berth.grpc.deviceplugin.Device;
import dev.berth.grpc.deviceplugin.DevicePluginGrpc;
import dev.berth.grpc.deviceplugin.DevicePluginOptions;
import dev.berth.grpc.deviceplugin.Empty;
import dev.berth.grpc.deviceplugin.ListAndWatchResponse;
import dev.berth.grpc.deviceplugin.NUMANode;
import dev.berth.grpc.deviceplugin.PreStartContainerRequest;
import dev.berth.grpc.deviceplugin.PreferredAllocationRequest;
import dev.berth.grpc.deviceplugin.PreferredAllocationResponse;
import dev.berth.grpc.socket.GoErrors;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.PluginDevice;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plugin's socket. */
final class GrpcPluginConnection implements PluginConnection {
  private static final String HEALTHY = "Healthy";

  private final ManagedChannel channel;
  private final DevicePluginGrpc.DevicePluginStub stub;
  private final Consumer<GrpcPluginConnection> closed;

  GrpcPluginConnection(ManagedChannel channel, Consumer<GrpcPluginConnection> closed) {
    this.channel = channel;
    this.stub = DevicePluginGrpc.newStub(channel);
    this.closed = closed;
  }

  private DevicePluginGrpc.DevicePluginStub within(Duration patience) {
    return stub.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void connect(Duration patience, Consumer<Answer<PluginOptions>> then) {
    // A plugin may register before it listens.
    within(patience)
        .withWaitForReady()
        .getDevicePluginOptions(
            Empty.getDefaultInstance(),
            new Single<>(
                GrpcPluginConnection::options,
                error ->
                    channel.getState(false) == ConnectivityState.READY
                        ? "failed to get device plugin options: " + GoErrors.text(error)
                        : "failed to dial device plugin: context deadline exceeded",
                then));
  }

  private static PluginOptions options(DevicePluginOptions options) {
    return new PluginOptions(
        options.getPreStartRequired(), options.getGetPreferredAllocationAvailable());
  }

  @Override
  public void listAndWatch(DeviceWatch watch) {
    Lists lists = new Lists(watch);
    stub.listAndWatch(Empty.getDefaultInstance(), lists);
    // The call itself ends when all lists are read that came before, which may be many.
    channel.notifyWhenStateChanged(
        ConnectivityState.READY,
        () -> lists.end("rpc error: code = Unavailable desc = the connection is lost"));
  }

  @Override
  public void preferredAllocation(
      Set<String> available,
      Set<String> mustInclude,
      int size,
      Duration patience,
      Consumer<Answer<List<String>>> then) {
    ContainerPreferredAllocationRequest container =
        ContainerPreferredAllocationRequest.newBuilder()
            .addAllAvailableDeviceIDs(available)
            .addAllMustIncludeDeviceIDs(mustInclude)
            .setAllocationSize(size)
            .build();
    within(patience)
        .getPreferredAllocation(
            PreferredAllocationRequest.newBuilder().addContainerRequests(container).build(),
            new Single<>(GrpcPluginConnection::preferred, GoErrors::text, then));
  }

  private static List<String> preferred(PreferredAllocationResponse response) {
    return response.getContainerResponsesCount() == 0
        ? List.of()
        : List.copyOf(response.getContainerResponses(0).getDeviceIDsList());
  }

  @Override
  public void allocate(
      Set<String> devices, Duration patience, Consumer<Answer<List<DeviceGrant>>> then) {
    ContainerAllocateRequest container =
        ContainerAllocateRequest.newBuilder().addAllDevicesIds(devices).build();
    within(patience)
        .allocate(
            AllocateRequest.newBuilder().addContainerRequests(container).build(),
            new Single<>(GrpcPluginConnection::grants, GoErrors::text, then));
  }

  private static List<DeviceGrant> grants(AllocateResponse response) {
    return response.getContainerResponsesList().stream().map(GrpcPluginConnection::grant).toList();
  }

  private static DeviceGrant grant(ContainerAllocateResponse response) {
    return new DeviceGrant(
        new TreeMap<>(response.getEnvsMap()),
        response.getMountsList().stream()
            .map(mount ->
                new DeviceGrant.Mount(
                    mount.getContainerPath(), mount.getHostPath(), mount.getReadOnly()))
            .toList(),
        response.getDevicesList().stream()
            .map(device ->
                new DeviceGrant.Node(
                    device.getContainerPath(), device.getHostPath(), device.getPermissions()))
            .toList(),
        new TreeMap<>(response.getAnnotationsMap()),
        response.getCdiDevicesList().stream().map(CDIDevice::getName).toList());
  }

  @Override
  public void preStartContainer(
      Set<String> devices, Duration patience, Consumer<Answer<PluginOptions>> then) {
    within(patience)
        .preStartContainer(
            PreStartContainerRequest.newBuilder().addAllDevicesIds(devices).build(),
            new Single<>(_ -> new PluginOptions(true, false), GoErrors::text, then));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    closed.accept(this);
  }

  /** Takes the one answer of a call, or its failure; the first counts. */
  private static final class Single<M, T> implements StreamObserver<M> {
    private final Function<M, T> read;
    private final Function<Throwable, String> explain;
    private final Consumer<Answer<T>> then;
    private final AtomicBoolean isOver = new AtomicBoolean();

    Single(Function<M, T> read, Function<Throwable, String> explain, Consumer<Answer<T>> then) {
      this.read = read;
      this.explain = explain;
      this.then = then;
    }

    @Override
    public void onNext(M message) {
      if (isOver.compareAndSet(false, true)) {
        then.accept(new Answer.Value<>(read.apply(message)));
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (isOver.compareAndSet(false, true)) {
        then.accept(new Answer.Failed<>(explain.apply(failure)));
      }
    }

    @Override
    public void onCompleted() {
      if (isOver.compareAndSet(false, true)) {
        then.accept(
            new Answer.Failed<>("rpc error: code = Internal desc = the plugin answered nothing"));
      }
    }
  }

  /** Takes lists one at a time, when they are asked for. */
  private static final class Lists implements ClientResponseObserver<Empty, ListAndWatchResponse> {
    private final DeviceWatch watch;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private @Nullable ClientCallStreamObserver<Empty> call;

    Lists(DeviceWatch watch) {
      this.watch = watch;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Empty> stream) {
      call = stream;
      stream.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(ListAndWatchResponse list) {
      watch.listed(list.getDevicesList().stream().map(Lists::device).toList(), this::request);
    }

    private void request() {
      if (call != null && !isOver.get()) {
        call.request(1);
      }
    }

    void end(String error) {
      if (isOver.compareAndSet(false, true)) {
        watch.ended(error);
      }
    }

    private static PluginDevice device(Device device) {
      return new PluginDevice(
          device.getID(),
          device.getHealth().equals(HEALTHY),
          device.getTopology().getNodesList().stream().map(NUMANode::getID).toList());
    }

    @Override
    public void onError(Throwable failure) {
      end(GoErrors.text(failure));
    }

    @Override
    public void onCompleted() {
      end("EOF");
    }
  }
}
