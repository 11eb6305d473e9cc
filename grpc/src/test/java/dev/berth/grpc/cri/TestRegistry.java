package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Debian's registry on loopback, which wants a login. */
public final class TestRegistry implements AutoCloseable {
  public static final String USER = "puller";
  public static final String PASSWORD = "secret";

  /** Of the password, as the registry's file has it. */
  private static final String HASH = "$2y$04$BA8C67jIk.eB5D1MU5Xn2.AxyUVD3iZ/YdfRa6jmb0P8nwLJF0.nW";

  private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

  private final Path root;
  private final Process process;
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();

  public TestRegistry() throws IOException {
    TestImage.need("/usr/bin/docker-registry", "docker-registry");
    root = Files.createTempDirectory("berth-registry");
    Files.writeString(root.resolve("htpasswd"), USER + ":" + HASH + "\n");
    Path config =
        Files.writeString(
            root.resolve("config.yml"),
            """
            version: 0.1
            storage: {filesystem: {rootdirectory: %1$s/data}}
            http: {addr: "127.0.0.1:0", secret: s}
            auth: {htpasswd: {realm: test, path: %1$s/htpasswd}}
            """
                .formatted(root));
    process =
        new ProcessBuilder("docker-registry", "serve", config.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    port = port(said);
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (said.readLine() != null) {
              // It must not wait for a reader.
            }
          } catch (IOException _) {
            // It has ended.
            process.destroy();
          }
        });
  }

  private static int port(BufferedReader said) throws IOException {
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        return Integer.parseInt(listening.group(1));
      }
    }
    throw new IOException("the registry does not start");
  }

  /** Puts an image with a shell there; its name. */
  public String push(String repository, String tag) throws IOException, InterruptedException {
    TestImage image =
        TestImage.make(
            root.resolve("image"), "unused", "/bin/busybox", List.of("/bin/sh", "/bin/echo"), "[]");
    try (Stream<Path> blobs = Files.list(image.layout.resolve("blobs/sha256"))) {
      for (Path blob : blobs.toList()) {
        String place =
            send("POST", "/v2/%s/blobs/uploads/".formatted(repository), "", new byte[0])
                .headers()
                .firstValue("Location")
                .orElseThrow();
        String separator = place.contains("?") ? "&" : "?";
        send(
            "PUT",
            place + separator + "digest=sha256:" + blob.getFileName(),
            "application/octet-stream",
            Files.readAllBytes(blob));
      }
    }
    send(
        "PUT",
        "/v2/%s/manifests/%s".formatted(repository, tag),
        "application/vnd.oci.image.manifest.v1+json",
        image.manifest());
    return "127.0.0.1:%d/%s:%s".formatted(port, repository, tag);
  }

  private HttpResponse<String> send(String method, String place, String type, byte[] content)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port).resolve(place);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8)))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(content));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(uri + ": " + response.statusCode() + " " + response.body());
    }
    return response;
  }

  @Override
  public void close() throws IOException {
    client.close();
    process.destroyForcibly().onExit().join();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
