package dev.berth.grpc.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.device.AgentSocket;
import dev.berth.agent.device.Answer;
import dev.berth.agent.device.LazyTransport;
import dev.berth.agent.device.PluginConnection;
import dev.berth.agent.device.PluginOptions;
import dev.berth.agent.device.PodResourcesLister;
import dev.berth.agent.device.PodResourcesLister.ContainerDevices;
import dev.berth.agent.device.PodResourcesLister.Owned;
import dev.berth.agent.device.PodResourcesLister.OwnedDevice;
import dev.berth.agent.device.PodResourcesLister.OwnedMemory;
import dev.berth.agent.device.PodResourcesLister.PodDeviceList;
import dev.berth.agent.device.Registration;
import dev.berth.grpc.podresources.AllocatableResourcesRequest;
import dev.berth.grpc.podresources.AllocatableResourcesResponse;
import dev.berth.grpc.podresources.GetPodResourcesRequest;
import dev.berth.grpc.podresources.ListPodResourcesRequest;
import dev.berth.grpc.podresources.ListPodResourcesResponse;
import dev.berth.grpc.podresources.NUMANode;
import dev.berth.grpc.podresources.PodResourcesListerGrpc;
import dev.berth.grpc.podresources.PodResourcesListerGrpc.PodResourcesListerBlockingStub;
import dev.berth.grpc.socket.UnixSockets;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.PluginDevice;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real plugins, processes of their own, over real sockets. */
final class AgentSocketTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path root;
  private Path directory;
  private final LazyTransport transport = new LazyTransport();
  private final BlockingQueue<Registration> registrations = new LinkedBlockingQueue<>();
  private AgentSocket socket;

  @BeforeEach
  void begin() {
    directory = root.resolve("device-plugins");
    socket = start();
  }

  private AgentSocket start() {
    return AgentSocket.forPlugins(
            directory,
            root.resolve("grpc/registration.sock"),
            transport,
            (registration, then) -> {
              registrations.add(registration);
              then.accept(
                  registration.resource().equals("bad")
                      ? Optional.of("the ResourceName \"bad\" is invalid")
                      : Optional.empty());
            })
        .orElseThrow();
  }

  @AfterEach
  void end() {
    socket.close();
    transport.close();
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing came");
    }
    return next;
  }

  /** What a plugin says of its devices. */
  private static final class Lists implements PluginConnection.DeviceWatch {
    final BlockingQueue<List<PluginDevice>> lists = new LinkedBlockingQueue<>();
    final BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();
    final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public void listed(List<PluginDevice> devices, Runnable next) {
      lists.add(devices);
      requests.add(next);
    }

    @Override
    public void ended(String error) {
      ends.add(error);
    }
  }

  @Test
  void aPluginRegistersListsAllocatesAndDies() throws Exception {
    try (PluginProcess plugin = new PluginProcess(directory, "example.com/thing", "a", "b!")) {
      assertThat(plugin.register()).isEqualTo("registered");
      Registration registration = next(registrations);
      assertThat(registration)
          .isEqualTo(new Registration("v1beta1", "example.com_thing.sock", "example.com/thing"));
      PluginConnection connection =
          transport.get().plugin(directory.resolve(registration.endpoint()));
      BlockingQueue<Answer<PluginOptions>> options = new LinkedBlockingQueue<>();
      connection.connect(PATIENCE, options::add);
      assertThat(next(options)).isEqualTo(new Answer.Value<>(new PluginOptions(true, false)));

      Lists watch = new Lists();
      connection.listAndWatch(watch);
      assertThat(next(watch.lists))
          .containsExactly(
              new PluginDevice("a", true, List.of()), new PluginDevice("b", false, List.of()));

      BlockingQueue<Answer<List<DeviceGrant>>> grants = new LinkedBlockingQueue<>();
      connection.allocate(Set.of("a"), PATIENCE, grants::add);
      assertThat(next(grants))
          .isInstanceOfSatisfying(
              Answer.Value.class,
              answer -> {
                DeviceGrant grant = (DeviceGrant) ((List<?>) answer.value()).getFirst();
                assertThat(grant.environment()).isEqualTo(Map.of("THINGS", "a"));
                assertThat(grant.nodes())
                    .containsExactly(new DeviceGrant.Node("/dev/thing-a", "/dev/zero", "r"));
                assertThat(grant.mounts()).hasSize(1);
              });
      plugin.tell("fail no more things");
      plugin.tell("devices a b");
      connection.allocate(Set.of("a"), PATIENCE, grants::add);
      assertThat(next(grants).toString())
          .contains("rpc error: code = Unknown desc = no more things");
      plugin.tell("hang");
      connection.allocate(Set.of("a"), Duration.ofMillis(200), grants::add);
      assertThat(next(grants).toString())
          .contains("rpc error: code = DeadlineExceeded desc = context deadline exceeded");

      // However many lists there are, the next comes when it is asked for.
      plugin.await("listed");
      plugin.tell("flood 2000");
      assertThat(watch.lists).isEmpty();
      next(watch.requests).run();
      assertThat(next(watch.lists)).hasSize(2);
      next(watch.requests).run();
      assertThat(next(watch.lists)).hasSize(4);

      plugin.kill();
      assertThat(next(watch.ends)).contains("rpc error: code = Unavailable");
      connection.close();
    }
  }

  @Test
  void aRefusedPluginIsToldWhy() throws Exception {
    try (PluginProcess plugin = new PluginProcess(directory, "example.com/thing", "a")) {
      assertThat(plugin.register("v1beta1", "bad"))
          .isEqualTo("refused: the ResourceName \"bad\" is invalid");
    }
  }

  @Test
  void garbageAtTheSocketHarmsNobodyElse() throws Exception {
    try (SocketChannel silent = connect();
        SocketChannel noisy = connect()) {
      ByteBuffer garbage = ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      noisy.write(garbage);
      assertThat(silent.isConnected()).isTrue();
      try (PluginProcess plugin = new PluginProcess(directory, "example.com/thing", "a")) {
        assertThat(plugin.register()).isEqualTo("registered");
      }
    }
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(directory.resolve("kubelet.sock")));
    return channel;
  }

  @Test
  void aPluginThatDoesNotSpeakGrpcIsNotReached() throws Exception {
    Path deaf = directory.resolve("deaf.sock");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(deaf));
      Thread.ofVirtual()
          .start(() -> {
            try (SocketChannel client = server.accept()) {
              client.write(ByteBuffer.wrap("garbage garbage garbage\r\n".getBytes(UTF_8)));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      BlockingQueue<Answer<PluginOptions>> options = new LinkedBlockingQueue<>();
      try (PluginConnection connection = transport.get().plugin(deaf)) {
        connection.connect(Duration.ofMillis(500), options::add);
        assertThat(next(options))
            .isEqualTo(
                new Answer.Failed<>("failed to dial device plugin: context deadline exceeded"));
      }
    }
  }

  @Test
  void othersAreToldWhichPodsHaveWhichDevices() throws Exception {
    OwnedDevice near =
        new OwnedDevice("example.com/thing", new PluginDevice("a", true, List.of(0L, 1L)));
    OwnedDevice plain =
        new OwnedDevice("example.com/thing", new PluginDevice("b", true, List.of()));
    PodDeviceList web =
        new PodDeviceList(
            "default",
            "web",
            List.of(
                new ContainerDevices(
                    "c",
                    new Owned(
                        List.of(near, plain),
                        List.of(2, 3),
                        List.of(new OwnedMemory("memory", 4096, List.of(0, 1)))))));
    PodResourcesLister lister =
        new PodResourcesLister() {
          @Override
          public List<PodDeviceList> list() {
            return List.of(web);
          }

          @Override
          public Optional<PodDeviceList> get(String namespace, String pod) {
            return Optional.of(web).filter(_ -> pod.equals("web"));
          }

          @Override
          public Owned allocatable() {
            return new Owned(
                List.of(plain),
                List.of(1, 2, 3),
                List.of(new OwnedMemory("hugepages-2Mi", 2048, List.of(1))));
          }
        };
    Path place = root.resolve("pod-resources");
    try (AgentSocket _ =
            AgentSocket.forPodResources(
                    place, root.resolve("grpc/pod-resources.sock"), transport, lister)
                .orElseThrow();
        UnixSockets sockets = new UnixSockets()) {
      ManagedChannel channel = sockets.channel(place.resolve("kubelet.sock"));
      PodResourcesListerBlockingStub stub = PodResourcesListerGrpc.newBlockingStub(channel);
      ListPodResourcesResponse all = stub.list(ListPodResourcesRequest.getDefaultInstance());
      assertThat(all.getPodResources(0).getContainers(0).getDevicesList())
          .extracting(device -> device.getDeviceIds(0) + device.getTopology().getNodesCount())
          .containsExactly("a1", "a1", "b0");
      assertThat(all.getPodResources(0).getContainers(0).getCpuIdsList()).containsExactly(2L, 3L);
      assertThat(all.getPodResources(0).getContainers(0).getMemory(0))
          .satisfies(memory -> {
            assertThat(memory.getMemoryType()).isEqualTo("memory");
            assertThat(memory.getSize()).isEqualTo(4096);
            assertThat(memory.getTopology().getNodesList())
                .extracting(NUMANode::getID)
                .containsExactly(0L, 1L);
          });
      GetPodResourcesRequest.Builder one =
          GetPodResourcesRequest.newBuilder().setPodNamespace("default").setPodName("web");
      assertThat(stub.get(one.build()).getPodResources()).isEqualTo(all.getPodResources(0));
      assertThatThrownBy(() -> stub.get(one.setPodName("none").build()))
          .hasMessage("UNKNOWN: pod none in namespace default not found");
      AllocatableResourcesResponse allocatable =
          stub.getAllocatableResources(AllocatableResourcesRequest.getDefaultInstance());
      assertThat(allocatable.getCpuIdsList()).containsExactly(1L, 2L, 3L);
      assertThat(allocatable.getMemory(0).getMemoryType()).isEqualTo("hugepages-2Mi");
      assertThat(allocatable.getDevicesList())
          .extracting(device -> device.getResourceName())
          .containsExactly("example.com/thing");
      channel.shutdownNow();
    }
  }

  @Test
  void socketsOfTheLastAgentsTimeAreRemovedAndNothingElse() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(directory.resolve("old.sock")));
    }
    Path file = Files.writeString(directory.resolve("notes.txt"), "kept");
    Path folder = Files.createDirectory(directory.resolve("folder.sock"));
    // As after a kill: the socket is still there.
    AgentSocket again = start();
    assertThat(directory.resolve("old.sock")).doesNotExist();
    assertThat(file).exists();
    assertThat(folder).exists();
    assertThat(directory.resolve("kubelet.sock")).exists();
    again.close();
    assertThat(directory.resolve("kubelet.sock")).doesNotExist();
  }
}
