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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs {@code berth up} in a directory, asks it what clients ask, has it run, evict and replace
 * some pods on hollow nodes and on this machine, extends it by a custom resource and by policies,
 * and stops. The build does this once while the JVM takes notes (its AOT cache) of which classes
 * are needed and which methods are busy, so that every later start need not find that out again: in
 * a new process, half the time of the first thousands of pods is the compiler's.
 *
 * <p>Arguments: an empty directory; {@code node} where this machine can be a node and run a pod.
 */
final class Rehearsal {
  private static final String TOKEN = "rehearsal";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String PODS_PATH = "/api/v1/namespaces/default/pods";
  private static final String NODE = "rehearsal";
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

  public static void main(String[] arguments) {
    try {
      rehearse(arguments);
      System.exit(ExitCode.OK);
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      System.exit(ExitCode.FAILED);
    }
  }

  private static void rehearse(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",me,,system:masters");
    PipedInputStream said = new PipedInputStream();
    PrintWriter out =
        new PrintWriter(new OutputStreamWriter(new PipedOutputStream(said), UTF_8), true);
    PrintWriter err = new PrintWriter(System.err, true, UTF_8);
    List<String> up =
        new ArrayList<>(
            List.of(
                "up",
                "--port=0",
                "--bind-address=127.0.0.1",
                "--data=" + directory.resolve("data"),
                "--hollow=" + NODES,
                "--token-auth-file=" + tokens));
    boolean withNode = List.of(arguments).contains("node");
    if (withNode) {
      Path configuration =
          Files.writeString(
              directory.resolve("kubelet.yaml"),
              "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 110\n");
      String taint = NODE + "=alone:NoSchedule"; // other pods are for hollow nodes
      up.addAll(
          List.of(
              "--node",
              "--node-config=" + configuration,
              "--hostname-override=" + NODE,
              "--register-with-taints=" + taint));
    }
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
    try (HttpClient http = HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
      Rehearsal rehearsal = new Rehearsal(http, "https://127.0.0.1:" + port);
      if (withNode) {
        rehearsal.runPod();
      }
      rehearsal.extend();
    }
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

  /** A pod of processes on this machine comes and goes. */
  private void runPod() throws IOException, InterruptedException {
    send(
        "POST",
        PODS_PATH,
        """
        {"metadata":{"name":"real"},
         "spec":{"nodeSelector":{"kubernetes.io/hostname":"%s"},"terminationGracePeriodSeconds":1,
          "tolerations":[{"operator":"Exists"}],
          "containers":[{"name":"c","image":"i","command":["sleep","60"]}]}}
        """
            .formatted(NODE));
    String pod = PODS_PATH + "/real";
    String revision = await(pod, "", said -> said.contains("\"phase\":\"Running\""));
    send("DELETE", pod, "");
    var _ = await(pod, revision, said -> said.startsWith("{\"type\":\"DELETED\""));
  }

  /** Objects of a kind that is defined, pods, leases, and pods under policies. */
  private void extend() throws IOException, InterruptedException {
    send("POST", RehearsedExtensions.DEFINITIONS, RehearsedExtensions.definition());
    var _ =
        await(
            RehearsedExtensions.DEFINITIONS + "/" + RehearsedExtensions.DEFINITION,
            "",
            said -> said.contains("\"type\":\"Established\",\"status\":\"True\""));
    createMany(RehearsedExtensions.OBJECTS, RehearsedExtensions.object());
    createMany(PODS_PATH, RehearsedExtensions.pod());
    send("POST", LEASES, "{\"metadata\":{\"name\":\"a\"}}");
    for (int i = 0; i < PODS; i++) {
      send("PATCH", LEASES + "/a", "{\"spec\":{\"leaseTransitions\":%d}}".formatted(i));
    }
    for (RehearsedExtensions.Policy policy : RehearsedExtensions.Policy.values()) {
      send("POST", policy.path(), policy.policy());
      send("POST", policy.bindingPath(), policy.binding());
    }
    createMany(PODS_PATH, RehearsedExtensions.pod());
  }

  private void createMany(String path, String body) throws IOException, InterruptedException {
    for (int i = 0; i < PODS; i++) {
      send("POST", path, body);
    }
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
    String collection = path.substring(0, path.lastIndexOf('/'));
    String watch =
        "%s?watch=1&timeoutSeconds=%d&fieldSelector=metadata.name%%3D%s&resourceVersion=%s"
            .formatted(collection, PATIENCE_SECONDS, name, after);
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
            .header("Accept", method.equals("GET") ? TABLE : "application/json")
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
