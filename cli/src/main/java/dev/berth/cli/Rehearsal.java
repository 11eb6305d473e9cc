package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.pki.Trust;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs {@code berth up} in a directory, asks it what clients ask, and stops. The build does this
 * once while the JVM takes notes (its AOT cache) of which classes are needed and which methods are
 * busy, so that every later start need not find that out again.
 *
 * <p>Argument: an empty directory.
 */
final class Rehearsal {
  private static final String TOKEN = "rehearsal";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
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
    List<String> up =
        List.of(
            "up",
            "--port=0",
            "--bind-address=127.0.0.1",
            "--data=" + directory.resolve("data"),
            "--token-auth-file=" + tokens);
    Thread.ofPlatform().daemon().start(() -> Main.run(up, new Console(out, out)));
    String port = port(new BufferedReader(new InputStreamReader(said, UTF_8)));
    Path authority = directory.resolve("data/pki/ca.crt");
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient http =
          HttpClient.newBuilder().version(version).sslContext(Trust.in(authority)).build()) {
        new Rehearsal(http, "https://127.0.0.1:" + port).ask();
      }
    }
    System.exit(Main.OK);
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

  private void send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Authorization", "Bearer " + TOKEN)
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
