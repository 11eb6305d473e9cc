package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.pki.Trust;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs {@code berth up} in a directory, asks it what clients ask, has it run, evict and replace
 * some pods on hollow nodes, and stops. The build does this once while the JVM takes notes (its AOT
 * cache) of which classes are needed and which methods are busy, so that every later start need not
 * find that out again: in a new process, half the time of the first thousands of pods is the
 * compiler's.
 *
 * <p>Argument: an empty directory.
 */
final class Rehearsal {
  private static final String TOKEN = "rehearsal";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final int NODES = 20;
  private static final int PODS = 1_000;
  private static final int PATIENCE_SECONDS = 60;
  private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");
  private static final Pattern READY = Pattern.compile("on port (\\d+)");

  private final HttpClient http;
  private final String server;

  private Rehearsal(HttpClient http, String server) {
    this.http = http;
    this.server = server;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",me,,system:masters");
    PipedInputStream said = new PipedInputStream();
    PrintWriter out =
        new PrintWriter(new OutputStreamWriter(new PipedOutputStream(said), UTF_8), true);
    PrintWriter err = new PrintWriter(System.err, true, UTF_8);
    List<String> up =
        List.of(
            "up",
            "--port=0",
            "--bind-address=127.0.0.1",
            "--data=" + directory.resolve("data"),
            "--hollow=" + NODES,
            "--token-auth-file=" + tokens);
    Thread.ofPlatform().daemon().start(() -> Main.run(up, new Console(out, err)));
    String port = port(new BufferedReader(new InputStreamReader(said, UTF_8)));
    Path authority = directory.resolve("data/pki/ca.crt");
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient http =
          HttpClient.newBuilder().version(version).sslContext(Trust.in(authority)).build()) {
        Rehearsal rehearsal = new Rehearsal(http, "https://127.0.0.1:" + port);
        rehearsal.ask();
        rehearsal.work();
      }
    }
    System.exit(ExitCode.OK);
  }

  private static String port(BufferedReader said) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher ready = READY.matcher(all.append(line));
      if (ready.find()) {
        return ready.group(1);
      }
    }
    throw new IOException("berth up ended: " + all);
  }

  private void ask() throws IOException, InterruptedException {
    send("GET", "/readyz", "");
    send("GET", "/api", "");
    send("GET", "/apis", "");
    send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"1\"}}");
    send("PATCH", MAPS + "/a", "{\"data\":{\"a\":\"2\"}}");
    send("GET", MAPS + "/a", "");
    send("GET", MAPS, "");
    send("GET", "/api/v1/nodes", "");
    send("GET", MAPS + "?watch=1&timeoutSeconds=1", "");
    send("DELETE", MAPS + "/a", "");
  }

  /** Pods come, have to leave their nodes, are replaced by newer ones, and go. */
  private void work() throws IOException, InterruptedException {
    String web = DEPLOYMENTS + "/web";
    send("POST", DEPLOYMENTS, deployment());
    String revision = await(web, "", said -> says(said, "readyReplicas", PODS));
    for (int i = 0; i < NODES; i += 2) {
      taint(i, "[{\"key\":\"rehearsal\",\"effect\":\"NoExecute\"}]");
    }
    revision = await(web, revision, said -> !says(said, "readyReplicas", PODS));
    revision = await(web, revision, said -> says(said, "readyReplicas", PODS));
    send(
        "PATCH",
        web,
        "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"version\":\"2\"}}}}}");
    revision =
        await(
            web,
            revision,
            said ->
                says(said, "updatedReplicas", PODS) && !said.contains("\"unavailableReplicas\":"));
    for (int i = 0; i < NODES; i++) {
      taint(i, "null");
    }
    send("DELETE", web, "{\"propagationPolicy\":\"Foreground\"}");
    var _ = await(web, revision, said -> said.startsWith("{\"type\":\"DELETED\""));
  }

  private static String deployment() {
    return """
    {"metadata":{"name":"web"},
     "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
      "strategy":{"rollingUpdate":{"maxSurge":"50%%","maxUnavailable":"50%%"}},
      "template":{"metadata":{"labels":{"app":"web"}},
       "spec":{"terminationGracePeriodSeconds":0,
        "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1m"}}}]}}}}
    """
        .formatted(PODS);
  }

  private void taint(int node, String taints) throws IOException, InterruptedException {
    send("PATCH", "/api/v1/nodes/hollow-" + node, "{\"spec\":{\"taints\":" + taints + "}}");
  }

  private static boolean says(String line, String counter, int value) {
    return line.contains("\"" + counter + "\":" + value);
  }

  /**
   * Watches an object until it is as wanted.
   *
   * @param after the revision after which to watch; empty to begin with what there is
   * @return the revision at which it was as wanted
   */
  private String await(String path, String after, Predicate<String> wanted)
      throws IOException, InterruptedException {
    String name = path.substring(path.lastIndexOf('/') + 1);
    String watch =
        "%s?watch=1&timeoutSeconds=%d&fieldSelector=metadata.name%%3D%s&resourceVersion=%s"
            .formatted(DEPLOYMENTS, PATIENCE_SECONDS, name, after);
    HttpRequest request = request(watch).header("Accept", "application/json").build();
    HttpResponse<Stream<String>> lines = http.send(request, HttpResponse.BodyHandlers.ofLines());
    try (Stream<String> all = lines.body()) {
      Matcher revision =
          REVISION.matcher(
              all.filter(wanted)
                  .findFirst()
                  .orElseThrow(() -> new IOException(name + " did not become what it should")));
      return revision.find() ? revision.group(1) : "";
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server + path))
        .header("Authorization", "Bearer " + TOKEN);
  }

  private void send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
            .header("Accept-Encoding", "gzip")
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IOException(
          method + " " + path + " was answered with " + new String(response.body(), UTF_8));
    }
  }
}
