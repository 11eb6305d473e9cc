package dev.berth.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.ExitCode;
import dev.berth.pki.Trust;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code berth support} collects from a real server, and what neither it nor the log tells.
 */
class SupportCommandTest {
  private static final String TOKEN = "token-that-nobody-may-see";
  private static final String SECRET = "password-that-nobody-may-see";

  @TempDir private Path folder = Path.of("");

  private Path data() {
    return folder.resolve("data");
  }

  private Map<String, byte[]> support(String... further) throws IOException {
    Path zip = folder.resolve("support.zip");
    Files.deleteIfExists(zip);
    List<String> words = new ArrayList<>(List.of("support", "--out", zip.toString()));
    words.addAll(List.of(further));
    MainTest.Ended ended = MainTest.berth(words.toArray());
    assertThat(ended.status()).as(ended.err()).isEqualTo(ExitCode.OK);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry.getName(), in.readAllBytes());
      }
    }
    return entries;
  }

  private static String text(Map<String, byte[]> entries, String name) {
    return new String(entries.getOrDefault(name, new byte[0]), UTF_8);
  }

  /**
   * Has secrets pass by everything that logs: in bodies, queries, headers, and refused ones too.
   */
  private void useSecrets(BerthProcess berth) throws Exception {
    String body = "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"p\":\"%s\"}}".formatted(SECRET);
    try (AdminClient admin = new AdminClient(berth.kubeconfig())) {
      String secrets = "/api/v1/namespaces/default/secrets";
      assertThat(admin.send("POST", secrets, "application/json", body).statusCode()).isEqualTo(201);
      admin.send("POST", secrets, "application/json", body + "}");
      admin.send("PUT", secrets + "/s", "application/json", body.replace("\"p\"", "\"not a key\""));
      admin.send("GET", "/api/v1/pods?labelSelector=" + SECRET, "application/json", "");
      admin.send("GET", "/nowhere?token=" + TOKEN, "application/json", "");
    }
    assertThat(status(berth, TOKEN)).as("only administrators read it").isEqualTo(403);
    assertThat(status(berth, TOKEN + "-wrong")).isEqualTo(401);
    berth.said("create", "token", "default");
  }

  private int status(BerthProcess berth, String token) throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder().sslContext(Trust.in(data().resolve("pki/ca.crt"))).build()) {
      return http.send(
              HttpRequest.newBuilder(
                      URI.create("https://127.0.0.1:" + berth.port() + "/debug/support/log"))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void collectsWhatIsNeededAndNoSecrets() throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",ann,1\n");
    Map<String, byte[]> entries;
    String log;
    try (BerthProcess berth =
        BerthProcess.up(
            data(),
            0,
            "--token-auth-file=" + tokens,
            "--hollow=1",
            "--log-level=trace",
            "--log-format=json")) {
      useSecrets(berth);
      entries = support("--data", data().toString(), "--jfr-seconds=1");
      assertThat(berth.terminate()).isZero();
      log = String.join("\n", berth.log());
    }
    assertThat(text(entries, "contents.txt")).doesNotContain("Missing");
    assertThat(text(entries, "settings.txt")).contains("--log-level=trace", "heap.max=");
    assertThat(text(entries, "log.txt")).contains(" serving the Kubernetes API port=");
    assertThat(text(entries, "store.txt")).contains("revision=", "  secrets\n", "berth.db");
    assertThat(text(entries, "threads.txt")).contains("berth-store-writer", "virtual");
    assertThat(text(entries, "metrics.txt")).contains("apiserver_request_total");
    assertThat(text(entries, "readyz.txt")).contains("readyz check passed");
    assertThat(text(entries, "version.json")).contains("gitVersion");

    assertThat(log)
        .contains("\"component\":\"hollow\"", "\"level\":\"debug\"", "authentication failed");
    for (String secret : List.of(TOKEN, SECRET)) {
      String encoded = Base64.getEncoder().encodeToString(secret.getBytes(UTF_8));
      assertThat(log).doesNotContain(secret, encoded);
      entries.forEach((name, bytes) ->
          assertThat(new String(bytes, ISO_8859_1))
              .as(name)
              .doesNotContain(secret, encoded, "PRIVATE KEY"));
    }
    Path recording = Files.write(folder.resolve("r.jfr"), entries.get("recording.jfr"));
    List<String> events =
        RecordingFile.readAllEvents(recording).stream()
            .map(RecordedEvent::getEventType)
            .map(type -> type.getName())
            .distinct()
            .toList();
    assertThat(events)
        .contains("jdk.GCConfiguration")
        .doesNotContain("jdk.InitialEnvironmentVariable", "jdk.SystemProcess");
  }

  @Test
  void collectsWhatThereIsOfAServerThatIsGone() throws Exception {
    try (BerthProcess berth = BerthProcess.up(data(), 0)) {
      berth.kill();
    }
    Map<String, byte[]> entries = support("--data", data().toString());
    assertThat(text(entries, "directory.txt")).contains("berth.db", "pki/ca.key");
    assertThat(text(entries, "contents.txt"))
        .contains("Missing:", "log.txt: The server https://127.0.0.1:", "recording.jfr: ");
  }

  @Test
  void wrongInputIsSaidInOneSentence() throws IOException {
    Path taken = Files.writeString(folder.resolve("taken.zip"), "");
    MainTest.Ended ended = MainTest.berth("support", "--out", taken, "--data", data());
    assertThat(ended.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).isEqualTo("berth: " + taken + " exists: name another file.\n");
    assertThat(MainTest.berth("support", "--jfr-seconds", "61").status()).isEqualTo(ExitCode.USAGE);
    Map<String, byte[]> nothing = support("--kubeconfig", folder.resolve("none").toString());
    assertThat(text(nothing, "contents.txt")).contains("Missing:", "none cannot be read");
  }
}
