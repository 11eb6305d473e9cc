package dev.berth.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import dev.berth.client.ApiResult;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code examples/three-servers} has started: three members of etcd, and a server each on the
 * machines a and b, which are network namespaces. This process is on the network between them.
 */
record Cluster(Path folder, Time time) {
  static final List<String> SERVERS = List.of("a", "b");

  String url(String host, String path) {
    return "https://10.198.0." + (host.equals("a") ? 11 : 12) + ":6443" + path;
  }

  /** The administrator, asking one server, or whichever of several answers. */
  HttpApi api(String... hosts) {
    Connection local = Kubeconfig.read(folder.resolve("a/data/admin.kubeconfig")).connection();
    List<URI> servers = List.of(hosts).stream().map(host -> URI.create(url(host, ""))).toList();
    return new HttpApi(
        new Connection(servers, local.trust(), local.identity(), local.namespace()), time, "bench");
  }

  /** One of the script's commands; it says what went wrong by itself. */
  void script(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Berth.ROOT.resolve("examples/three-servers").toString());
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("%s: %s".formatted(String.join(" ", words), said));
    }
  }

  static void expect(ApiResult result) throws IOException {
    if (result instanceof ApiResult.Failure why) {
      throw new IOException(why.message());
    }
  }
}
