package dev.berth.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.apiserver.layout.KubernetesLayout;
import dev.berth.grpc.etcd.GrpcEtcdConnector;
import dev.berth.store.etcd.EtcdConnector;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An API server on an etcd in a process of its own, which can be killed. The libraries of gRPC are
 * those that the distribution has, and not what the clients bring along.
 */
final class EtcdServer implements AutoCloseable {
  private static final String PREFIX = "/registry";
  private static final Path GRPC =
      Path.of(System.getProperty("berth.root", ".."), "grpc", "target", "lib");

  private final Process process;
  private final int port;

  private EtcdServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Returns when it answers. Its certificates and kubeconfig are in the directory. */
  static EtcdServer start(Path directory, URI etcd) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                EtcdServer.class.getName(),
                directory.toString(),
                etcd.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String port = process.inputReader(UTF_8).readLine();
    if (port == null) {
      throw new AssertionError("the server on etcd ended before it answered");
    }
    return new EtcdServer(process, Integer.parseInt(port));
  }

  private static String classPath() throws IOException {
    List<String> all = new ArrayList<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(GRPC, "*.jar")) {
      jars.forEach(jar -> all.add(jar.toString()));
    }
    for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
      if (!entry.contains("/io/netty/")) {
        all.add(entry);
      }
    }
    return String.join(File.pathSeparator, all);
  }

  int port() {
    return port;
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Arguments: where its files are, and etcd. Ends when nobody can write to it any more. */
  static void main(String[] arguments) throws IOException {
    var servers =
        new EtcdConnector.Servers(List.of(URI.create(arguments[1])), List.of(), Optional.empty());
    EtcdStore store =
        EtcdStore.open(
            new GrpcEtcdConnector().connect(servers),
            EtcdOptions.of(PREFIX, new KubernetesLayout(PREFIX)),
            new WallTime(FatalError::end));
    try (LocalServer server = LocalServer.open(Path.of(arguments[0]), store)) {
      System.out.println(server.port());
      while (System.in.read() >= 0) {
        // Nobody has anything to say.
      }
    }
  }
}
