package dev.berth.bench.overload;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** Hollow nodes in a process of their own, each with a certificate and a connection of its own. */
final class HollowProcess implements AutoCloseable {
  private final Process process;
  private final int metricsPort;

  private HollowProcess(Process process, int metricsPort) {
    this.process = process;
    this.metricsPort = metricsPort;
  }

  static HollowProcess start(Berth berth, int nodes) throws IOException {
    int port = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            Berth.ROOT.resolve("berth").toString(),
            "hollow",
            "--nodes",
            Integer.toString(nodes),
            "--kubeconfig",
            berth.directory().resolve("admin.kubeconfig").toString(),
            "--node-certificates",
            berth.directory().resolve("pki").toString(),
            "--metrics-port",
            Integer.toString(port));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new HollowProcess(builder.start(), port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** What it has measured of its leases so far. */
  LeaseTimes leaseTimes() throws IOException {
    URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort));
    try (var text = metrics.toURL().openStream()) {
      return LeaseTimes.read(new String(text.readAllBytes(), UTF_8));
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("berth hollow did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
