package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.AdminClient;
import dev.berth.cli.BerthProcess;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server and a node agent, two processes on this machine that can be killed one by one. */
final class CrashCluster implements AutoCloseable {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final Path folder;
  private final int port;
  private final AdminClient client;
  private BerthProcess server;
  private Process agent;

  CrashCluster(Path folder) throws Exception {
    this.folder = folder;
    server = startServer(0);
    port = server.port();
    client = new AdminClient(server.kubeconfig());
    List<String> create = List.of("token", "create", "--data=" + folder.resolve("server"));
    Process token = new ProcessBuilder(BerthProcess.command(create)).start();
    String line = new String(token.getInputStream().readAllBytes(), UTF_8).strip();
    List<String> join = new ArrayList<>(List.of(line.split(" ", -1)));
    join.removeFirst();
    join.add("--only-join");
    run(join).onExit().join();
    agent = startAgent();
  }

  private BerthProcess startServer(int wanted) throws IOException {
    return BerthProcess.up(folder.resolve("server"), wanted, "--cluster-cidr=10.113.0.0/16");
  }

  private Process run(List<String> words) throws IOException {
    List<String> all = new ArrayList<>(words);
    all.add("--data=" + node());
    all.add("--hostname-override=crash");
    all.add("--fail-swap-on=false");
    Redirect log = Redirect.appendTo(folder.resolve("agent.log").toFile());
    return new ProcessBuilder(BerthProcess.command(all))
        .redirectErrorStream(true)
        .redirectOutput(log)
        .start();
  }

  private Process startAgent() throws IOException {
    return run(List.of("node"));
  }

  /** The agent's directory. */
  Path node() {
    return folder.resolve("data");
  }

  String agentLog() throws IOException {
    return Files.readString(folder.resolve("agent.log"));
  }

  void killAgent() {
    agent.destroyForcibly().onExit().join();
  }

  void killServer() {
    server.kill();
  }

  /** Starts what does not run. */
  void restart() throws IOException {
    if (!agent.isAlive()) {
      agent = startAgent();
    }
    if (!server.isAlive()) {
      server = startServer(port);
    }
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException {
    try {
      return client.send(method, path, "application/json", body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  void create(String pod) throws IOException {
    HttpResponse<String> answer = send("POST", PODS, pod);
    if (answer.statusCode() != 201) {
      throw new AssertionError(answer.body());
    }
  }

  void delete(String pod) throws IOException {
    send("DELETE", PODS + "/" + pod, "");
  }

  List<JsonObject> pods() throws IOException {
    HttpResponse<String> answer = send("GET", PODS, "");
    return JsonReader.object(answer.body().getBytes(UTF_8), JsonLimits.TRUSTED)
        .array("items")
        .objects();
  }

  /** What a container wrote; empty while nobody can say. */
  HttpResponse<String> log(String pod, String container, boolean previous) throws IOException {
    return send(
        "GET", "%s/%s/log?container=%s&previous=%s".formatted(PODS, pod, container, previous), "");
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends both; what runs goes on. */
  void stop() {
    killAgent();
    server.close();
    client.close();
  }
}
