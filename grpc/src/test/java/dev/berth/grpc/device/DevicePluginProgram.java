package dev.berth.grpc.device;

import dev.berth.grpc.deviceplugin.AllocateRequest;
import dev.berth.grpc.deviceplugin.AllocateResponse;
import dev.berth.grpc.deviceplugin.ContainerAllocateResponse;
import dev.berth.grpc.deviceplugin.Device;
import dev.berth.grpc.deviceplugin.DevicePluginGrpc;
import dev.berth.grpc.deviceplugin.DevicePluginOptions;
import dev.berth.grpc.deviceplugin.DeviceSpec;
import dev.berth.grpc.deviceplugin.Empty;
import dev.berth.grpc.deviceplugin.ListAndWatchResponse;
import dev.berth.grpc.deviceplugin.Mount;
import dev.berth.grpc.deviceplugin.PreStartContainerRequest;
import dev.berth.grpc.deviceplugin.PreStartContainerResponse;
import dev.berth.grpc.deviceplugin.RegisterRequest;
import dev.berth.grpc.deviceplugin.RegistrationGrpc;
import dev.berth.grpc.socket.UnixSockets;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A device plugin as others write them: serves its devices at a socket and registers it. Its
 * devices are words, {@code a b c}, with an exclamation mark behind those that are unhealthy. It is
 * told what to do by lines on its standard input, and says what it does on its standard output:
 *
 * <pre>
 * register [VERSION [RESOURCE [ENDPOINT]]]   registers
 * devices a b! c                             lists these devices from now on
 * flood N                                    lists devices N times as fast as it can
 * fail MESSAGE                               fails to allocate from now on
 * hang                                       answers no Allocate from now on
 * well                                       does as it should again
 * </pre>
 */
public final class DevicePluginProgram extends DevicePluginGrpc.DevicePluginImplBase {
  private static final int SECONDS = 30;

  private final Path directory;
  private final String resource;
  private final String socket;
  private final List<ServerCallStreamObserver<ListAndWatchResponse>> watches = new ArrayList<>();
  private List<String> devices = List.of();
  private String failure = "";
  private boolean hangs;

  private DevicePluginProgram(Path directory, String resource) {
    this.directory = directory;
    this.resource = resource;
    this.socket = resource.replace('/', '_') + ".sock";
  }

  /**
   * Serves and does what it is told, until its standard input ends.
   *
   * @param words the directory of the sockets, the resource, and its devices
   */
  public static void main(String[] words) throws Exception {
    DevicePluginProgram plugin = new DevicePluginProgram(Path.of(words[0]), words[1]);
    plugin.devices = List.of(words).subList(2, words.length);
    try (UnixSockets sockets = new UnixSockets()) {
      Path place = plugin.directory.resolve(plugin.socket);
      Files.deleteIfExists(place);
      Server server = sockets.server(place).addService(plugin).build().start();
      plugin.run(sockets);
      server.shutdownNow();
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
  }

  private void run(UnixSockets sockets) throws IOException {
    say("serving " + resource);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      List<String> words = List.of(line.split(" ", -1));
      List<String> further = words.subList(1, words.size());
      switch (words.getFirst()) {
        case "register" -> register(sockets, further);
        case "devices" -> change(further);
        case "flood" -> flood(Integer.parseInt(further.getFirst()));
        case "fail" -> failure = String.join(" ", further);
        case "hang" -> hangs = true;
        case "well" -> {
          failure = "";
          hangs = false;
        }
        default -> say("? " + line);
      }
    }
  }

  private void register(UnixSockets sockets, List<String> words) {
    ManagedChannel channel = sockets.channel(directory.resolve("kubelet.sock"));
    try {
      var _ =
          RegistrationGrpc.newBlockingStub(channel)
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .withWaitForReady()
              .register(
                  RegisterRequest.newBuilder()
                      .setVersion(words.size() > 0 ? words.get(0) : "v1beta1")
                      .setResourceName(words.size() > 1 ? words.get(1) : resource)
                      .setEndpoint(words.size() > 2 ? words.get(2) : socket)
                      .build());
      say("registered");
    } catch (StatusRuntimeException e) {
      say("refused: " + e.getStatus().getDescription());
    } finally {
      channel.shutdownNow();
    }
  }

  private synchronized void change(List<String> words) {
    devices = List.copyOf(words);
    watches.removeIf(ServerCallStreamObserver::isCancelled);
    watches.forEach(watch -> watch.onNext(list(devices)));
    say("listed");
  }

  /** As fast as it is let: it does not look whether anybody reads. */
  private synchronized void flood(int times) {
    for (int i = 0; i < times; i++) {
      String last = "x" + i;
      ListAndWatchResponse list = list(List.of("a", "b", last, i % 2 == 0 ? "c" : "c!"));
      watches.forEach(watch -> watch.onNext(list));
    }
    say("flooded");
  }

  private static ListAndWatchResponse list(List<String> devices) {
    ListAndWatchResponse.Builder list = ListAndWatchResponse.newBuilder();
    devices.forEach(word ->
        list.addDevices(
            Device.newBuilder()
                .setID(word.replace("!", ""))
                .setHealth(word.endsWith("!") ? "Unhealthy" : "Healthy")));
    return list.build();
  }

  @Override
  public void getDevicePluginOptions(Empty request, StreamObserver<DevicePluginOptions> answer) {
    answer.onNext(DevicePluginOptions.newBuilder().setPreStartRequired(true).build());
    answer.onCompleted();
  }

  @Override
  public synchronized void listAndWatch(
      Empty request, StreamObserver<ListAndWatchResponse> answer) {
    var watch = (ServerCallStreamObserver<ListAndWatchResponse>) answer;
    watch.setOnCancelHandler(() -> {});
    watches.add(watch);
    watch.onNext(list(devices));
  }

  @Override
  public void allocate(AllocateRequest request, StreamObserver<AllocateResponse> answer) {
    List<String> ids = request.getContainerRequests(0).getDevicesIdsList();
    say("allocate " + String.join(" ", ids));
    if (hangs) {
      return;
    }
    if (!failure.isEmpty()) {
      answer.onError(Status.UNKNOWN.withDescription(failure).asRuntimeException());
      return;
    }
    ContainerAllocateResponse.Builder container =
        ContainerAllocateResponse.newBuilder()
            .putEnvs("THINGS", String.join(",", ids))
            .addMounts(
                Mount.newBuilder()
                    .setHostPath(directory.resolve("shared").toString())
                    .setContainerPath("/things")
                    .setReadOnly(true));
    ids.forEach(id ->
        container.addDevices(
            DeviceSpec.newBuilder()
                .setHostPath("/dev/zero")
                .setContainerPath("/dev/thing-" + id)
                .setPermissions("r")));
    answer.onNext(AllocateResponse.newBuilder().addContainerResponses(container).build());
    answer.onCompleted();
  }

  @Override
  public void preStartContainer(
      PreStartContainerRequest request, StreamObserver<PreStartContainerResponse> answer) {
    say("prestart " + String.join(" ", request.getDevicesIdsList()));
    answer.onNext(PreStartContainerResponse.getDefaultInstance());
    answer.onCompleted();
  }
}
