package dev.berth.grpc.cri;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.grpc.criapi.ImageServiceGrpc;
import dev.berth.grpc.criapi.ImageServiceGrpc.ImageServiceBlockingStub;
import dev.berth.grpc.criapi.RuntimeServiceGrpc;
import dev.berth.grpc.criapi.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import dev.berth.grpc.criapi.RuntimeServiceGrpc.RuntimeServiceStub;
import dev.berth.grpc.socket.GoErrors;
import dev.berth.grpc.socket.UnixSockets;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A runtime's sockets. Each call has a deadline, so that a runtime that hangs holds nobody up for
 * longer; a connection that is lost is made again with the next call.
 */
final class CriConnection implements AutoCloseable {
  /** Upstream's: a list of some thousand containers takes a few. */
  private static final int MOST_BYTES = 16 << 20;

  private static final Duration RECONNECT = Duration.ofMillis(500);

  private final UnixSockets sockets = new UnixSockets();
  private final ManagedChannel runtime;
  private final ManagedChannel images;
  private final Duration timeout;

  CriConnection(RemoteRuntimes.Settings settings) {
    timeout = settings.timeout();
    runtime = sockets.channel(settings.runtime());
    Path other = settings.images();
    images = other.equals(settings.runtime()) ? runtime : sockets.channel(other);
  }

  /** How long most calls may take. */
  Duration timeout() {
    return timeout;
  }

  RuntimeServiceBlockingStub runtime() {
    return runtime(timeout);
  }

  RuntimeServiceBlockingStub runtime(Duration within) {
    return RuntimeServiceGrpc.newBlockingStub(awake(runtime))
        .withMaxInboundMessageSize(MOST_BYTES)
        .withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Makes a call of the runtime that its stub does not make in this way. */
  <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return ClientCalls.blockingUnaryCall(
        awake(runtime),
        method,
        CallOptions.DEFAULT
            .withMaxInboundMessageSize(MOST_BYTES)
            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS),
        request);
  }

  ImageServiceBlockingStub images(Duration within) {
    return ImageServiceGrpc.newBlockingStub(awake(images))
        .withMaxInboundMessageSize(MOST_BYTES)
        .withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  ImageServiceBlockingStub images() {
    return images(timeout);
  }

  /** For what goes on for as long as the connection does. */
  RuntimeServiceStub events() {
    return RuntimeServiceGrpc.newStub(awake(runtime)).withMaxInboundMessageSize(MOST_BYTES);
  }

  /**
   * Whoever asks is not told for minutes that there was no runtime a while ago: it is looked for
   * again, which takes a moment on this machine.
   */
  private static ManagedChannel awake(ManagedChannel channel) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      CountDownLatch tried = new CountDownLatch(1);
      channel.notifyWhenStateChanged(
          ConnectivityState.TRANSIENT_FAILURE,
          () -> channel.notifyWhenStateChanged(ConnectivityState.CONNECTING, tried::countDown));
      channel.resetConnectBackoff();
      try {
        var _ = tried.await(RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return channel;
  }

  /** Asks for something, and explains a failure in the words of gRPC's Go library. */
  static <T> T call(String reason, Supplier<T> call) throws RuntimeFailure {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw new RuntimeFailure(reason, GoErrors.text(e), e);
    }
  }

  /** The same in the runtime's own words, as containers' states show them. */
  static <T> T plainCall(String reason, Supplier<T> call) throws RuntimeFailure {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw new RuntimeFailure(reason, GoErrors.description(e), e);
    }
  }

  static boolean is(Throwable failure, Status.Code code) {
    return Status.fromThrowable(failure).getCode() == code;
  }

  @Override
  public void close() {
    runtime.shutdownNow();
    images.shutdownNow();
    sockets.close();
  }
}
