package dev.berth.grpc.device;

import dev.berth.agent.device.PluginConnection;
import dev.berth.agent.device.PluginTransport;
import dev.berth.agent.device.PodResourcesLister;
import dev.berth.agent.device.Registration;
import dev.berth.grpc.deviceplugin.Empty;
import dev.berth.grpc.deviceplugin.RegisterRequest;
import dev.berth.grpc.deviceplugin.RegistrationGrpc;
import dev.berth.grpc.socket.UnixSockets;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** gRPC as the agent knows it, which names this class when it loads it. */
public final class GrpcPluginTransport implements PluginTransport {
  /** All that is asked of the agent is a call and its answer. */
  private static final int MOST_CALLS = 8;

  private static final int MOST_BYTES = 64 * 1024;

  /** It tells of each client that does not speak its protocol, with a stack trace. */
  private static final Logger LIBRARY = Logger.getLogger("io.grpc");

  static {
    LIBRARY.setLevel(Level.WARNING);
  }

  private final UnixSockets sockets = new UnixSockets();
  private final Set<Server> servers = ConcurrentHashMap.newKeySet();
  private final Set<GrpcPluginConnection> connections = ConcurrentHashMap.newKeySet();

  @Override
  public void serve(Path socket, Registrar registrar) throws IOException {
    serve(socket, new RegistrationService(registrar));
  }

  @Override
  public void serve(Path socket, PodResourcesLister lister) throws IOException {
    serve(socket, new PodResourcesService(lister));
  }

  private void serve(Path socket, BindableService service) throws IOException {
    servers.add(
        sockets
            .server(socket)
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .maxInboundMessageSize(MOST_BYTES)
            .addService(service)
            .build()
            .start());
  }

  @Override
  public PluginConnection plugin(Path socket) {
    GrpcPluginConnection connection =
        new GrpcPluginConnection(sockets.channel(socket), connections::remove);
    connections.add(connection);
    return connection;
  }

  @Override
  public void close() {
    connections.forEach(GrpcPluginConnection::close);
    servers.forEach(Server::shutdownNow);
    sockets.close();
  }

  private static final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
    private final Registrar registrar;

    RegistrationService(Registrar registrar) {
      this.registrar = registrar;
    }

    @Override
    public void register(RegisterRequest request, StreamObserver<Empty> answer) {
      registrar.register(
          new Registration(request.getVersion(), request.getEndpoint(), request.getResourceName()),
          refusal -> answer(answer, refusal));
    }

    private static void answer(StreamObserver<Empty> answer, Optional<String> refusal) {
      if (refusal.isPresent()) {
        answer.onError(Status.UNKNOWN.withDescription(refusal.get()).asRuntimeException());
      } else {
        answer.onNext(Empty.getDefaultInstance());
        answer.onCompleted();
      }
    }
  }
}
