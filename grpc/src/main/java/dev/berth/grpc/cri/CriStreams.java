package dev.berth.grpc.cri;

import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Session;
import dev.berth.grpc.criapi.Cri;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;

/**
 * Commands in containers, their streams and their pods' ports. A runtime answers with the address
 * of its streaming server, which speaks SPDY in all versions of containerd and CRI-O; unlike
 * WebSocket in the older ones it can say that a standard input has ended.
 */
final class CriStreams {
  private static final String EXEC_PROTOCOL = "v4.channel.k8s.io";
  private static final String FORWARD_PROTOCOL = "portforward.k8s.io";

  /** Beside what a command with a timeout may take. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final CriConnection connection;
  private final CriPods pods;

  CriStreams(CriConnection connection, CriPods pods) {
    this.connection = connection;
    this.pods = pods;
  }

  Session exec(String containerId, ExecSpec spec) throws RuntimeFailure {
    if (spec.timeout().isPositive() && !spec.stdin() && !spec.tty()) {
      return execWithin(containerId, spec);
    }
    Cri.ExecRequest request =
        Cri.ExecRequest.newBuilder()
            .setContainerId(containerId)
            .addAllCmd(spec.command())
            .setStdin(spec.stdin())
            .setTty(spec.tty())
            .setStdout(true)
            .setStderr(!spec.tty())
            .build();
    String url =
        CriConnection.plainCall("ExecError", () -> connection.runtime().exec(request)).getUrl();
    return session(url, spec.stdin(), spec.tty(), "ExecError");
  }

  /** The runtime ends such a command itself when its time is up. */
  private Session execWithin(String containerId, ExecSpec spec) throws RuntimeFailure {
    Cri.ExecSyncRequest request =
        Cri.ExecSyncRequest.newBuilder()
            .setContainerId(containerId)
            .addAllCmd(spec.command())
            .setTimeout(Math.max(1, spec.timeout().toSeconds()))
            .build();
    Cri.ExecSyncResponse response =
        CriConnection.plainCall(
            "ExecError", () -> connection.runtime(spec.timeout().plus(MARGIN)).execSync(request));
    return new FinishedSession(response.getStdout(), response.getStderr(), response.getExitCode());
  }

  Session attach(String containerId, boolean stdin) throws RuntimeFailure {
    boolean tty =
        pods.known(containerId).getAnnotationsMap().getOrDefault(CriNames.TTY, "").equals("true");
    Cri.AttachRequest request =
        Cri.AttachRequest.newBuilder()
            .setContainerId(containerId)
            .setStdin(stdin)
            .setTty(tty)
            .setStdout(true)
            .setStderr(!tty)
            .build();
    String url =
        CriConnection.plainCall("AttachError", () -> connection.runtime().attach(request)).getUrl();
    return session(url, stdin, tty, "AttachError");
  }

  private Session session(String url, boolean stdin, boolean tty, String reason)
      throws RuntimeFailure {
    try {
      StreamingConnection streams =
          StreamingConnection.open(url, EXEC_PROTOCOL, connection.timeout());
      return new StreamSession(streams, stdin, tty);
    } catch (IOException e) {
      throw new RuntimeFailure(reason, failed(e), e);
    }
  }

  ByteChannel connect(String sandboxId, int port) throws RuntimeFailure {
    Cri.PortForwardRequest request =
        Cri.PortForwardRequest.newBuilder().setPodSandboxId(sandboxId).addPort(port).build();
    try {
      String url = connection.runtime().portForward(request).getUrl();
      StreamingConnection streams =
          StreamingConnection.open(url, FORWARD_PROTOCOL, connection.timeout());
      return new PortChannel(streams, port);
    } catch (StatusRuntimeException e) {
      throw new RuntimeFailure("PortForwardError", String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new RuntimeFailure("PortForwardError", failed(e), e);
    }
  }

  private static String failed(IOException failure) {
    return "the runtime's streaming server cannot be used: " + failure.getMessage();
  }
}
