package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.ExitCode;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth up} as users run it: a process, started, used, stopped, killed. */
class UpTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder = Path.of("");

  private Path data() {
    return folder.resolve("data");
  }

  private Path kept() throws IOException {
    return Files.writeString(
        folder.resolve("kept.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n");
  }

  @Test
  void servesThenEndsItsWatchesWhenTerminatedAndExitsWithZero() throws Exception {
    Path audit = folder.resolve("audit.log");
    try (BerthProcess berth = BerthProcess.up(data(), 0, "--audit-log", audit.toString())) {
      assertThat(berth.said("get", "--raw", "/readyz")).isEqualTo("ok");
      assertThat(berth.said("get", "--raw", "/readyz?verbose"))
          .contains(
              "[+]component/scheduler ok",
              "[+]component/shared-informers ok",
              "[+]component/job-controller ok",
              "[+]component/event-expiry ok");
      assertThat(berth.said("create", "-f", kept().toString()))
          .isEqualTo("configmap/kept created\n");
      Process watch = berth.kubectl("get", "configmaps", "kept", "-w", "-o", "name");
      BufferedReader seen = watch.inputReader(UTF_8);
      assertThat(seen.readLine()).isEqualTo("configmap/kept");
      berth.said("label", "configmap", "kept", "x=y");
      assertThat(seen.readLine()).isEqualTo("configmap/kept");

      assertThat(berth.terminate()).isZero();
      assertThat(seen.lines()).isEmpty();
      assertThat(watch.waitFor()).isZero();
      assertThat(berth.lastWords()).containsExactly("Stopped; everything is in " + data() + ".");
    }
    List<JsonObject> events =
        Files.readAllLines(audit).stream()
            .map(line -> JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED))
            .toList();
    assertThat(events)
        .filteredOn(event -> event.text("verb", "").equals("watch"))
        .extracting(event -> event.text("stage"))
        .contains("ResponseStarted", "ResponseComplete");
    assertThat(events)
        .extracting(event -> event.object("user").text("username"))
        .contains("kubernetes-admin");
  }

  /** What clients were told: an object's revision and what it held then. */
  private record Told(long revision, int count) {
    static Told of(JsonObject configMap) {
      return new Told(
          Long.parseLong(configMap.object("metadata").text("resourceVersion", "")),
          Integer.parseInt(configMap.object("data").text("count", "")));
    }
  }

  /** Creates an object and counts it up, until the server is gone. */
  private static void count(
      AdminClient client, String name, Map<String, Told> told, CountDownLatch enough) {
    try {
      for (int count = 0; ; count++) {
        String body =
            "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"count\":\"" + count + "\"}}";
        HttpResponse<String> answer =
            count == 0
                ? client.send("POST", CONFIG_MAPS, "application/json", body)
                : client.send(
                    "PATCH", CONFIG_MAPS + "/" + name, "application/merge-patch+json", body);
        assertThat(answer.statusCode()).isIn(200, 201);
        told.put(
            name, Told.of(JsonReader.object(answer.body().getBytes(UTF_8), JsonLimits.TRUSTED)));
        enough.countDown();
      }
    } catch (IOException _) {
      // The server was killed, which is the point.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatWasAcknowledgedBeforeAKillIsThereAfterwards() throws Exception {
    Map<String, Told> told = new ConcurrentHashMap<>();
    CountDownLatch enough = new CountDownLatch(500);
    int port = BerthProcess.steadyPort();
    try (BerthProcess berth = BerthProcess.up(data(), port);
        AdminClient client = new AdminClient(berth.kubeconfig());
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 16; i++) {
        String name = "writer-" + i;
        writers.execute(() -> count(client, name, told, enough));
      }
      enough.await();
      Await.until("an answer to each writer", () -> told.size() == 16);
      berth.kill();
    }
    try (BerthProcess again = BerthProcess.up(data(), port)) {
      assertThat(again.port()).isEqualTo(port);
      Map<String, Told> found = new HashMap<>();
      JsonObject list =
          JsonReader.object(
              again.said("get", "configmaps", "-o", "json").getBytes(UTF_8), JsonLimits.TRUSTED);
      for (JsonObject item : list.array("items").objects()) {
        String name = item.object("metadata").text("name", "");
        if (told.containsKey(name)) {
          found.put(name, Told.of(item));
        }
      }
      told.forEach((name, last) -> {
        assertThat(found).containsKey(name);
        Told now = found.getOrDefault(name, new Told(0, -1));
        // One more write may have been kept without its writer hearing of it, and no other.
        assertThat(now.count()).isIn(last.count(), last.count() + 1);
        if (now.count() == last.count()) {
          assertThat(now.revision()).isEqualTo(last.revision());
        } else {
          assertThat(now.revision()).isGreaterThan(last.revision());
        }
      });
      assertThat(again.terminate()).isZero();
    }
  }

  @Test
  void aSecondOneOnTheSameDataIsRefusedInOneLine() throws Exception {
    try (BerthProcess berth = BerthProcess.up(data(), 0)) {
      assertThat(refusal("up", "--port", "0", "--data", data().toString()))
          .contains("is in use by process", "stop that process or name another directory");
      assertThat(berth.said("get", "--raw", "/readyz")).isEqualTo("ok");
    }
  }

  @Test
  void aPortInUseIsSaidInOneLine() throws Exception {
    try (BerthProcess berth = BerthProcess.up(data(), 0)) {
      assertThat(
              refusal(
                  "up",
                  "--bind-address",
                  "127.0.0.1",
                  "--port",
                  Integer.toString(berth.port()),
                  "--data",
                  folder.resolve("other").toString()))
          .contains("127.0.0.1:" + berth.port() + " cannot be listened on", "choose another one");
    }
  }

  @Test
  void whatCannotBeWrittenIsSaidInOneLine() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(refusal("up", "--port", "0", "--data", file.resolve("below").toString()))
        .contains("cannot be used");
    assertThat(
            refusal(
                "up",
                "--port",
                "0",
                "--data",
                data().toString(),
                "--audit-log",
                folder.resolve("none/audit.log").toString()))
        .contains("The audit log", "cannot be written");
  }

  /** What a command says on one line of standard error when it cannot do what it was asked to. */
  private String refusal(String... words) {
    MainTest.Ended ended = MainTest.berth((Object[]) words);
    assertThat(ended.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).startsWith("berth: ").hasLineCount(1);
    return ended.err();
  }

  @Test
  void badFlagsAreUsageErrors() {
    for (String[] words :
        new String[][] {
          {"up", "--port", "70000"}, {"up", "--port", "many"}, {"up", "--prot", "1"}, {"up", "x"}
        }) {
      MainTest.Ended ended = MainTest.berth((Object[]) words);
      assertThat(ended.status()).isEqualTo(ExitCode.USAGE);
      assertThat(ended.err()).contains(words[words.length - 1].equals("x") ? "x" : "--p");
    }
  }

  @Test
  void aRestoredClusterIsTrustedByTheClientsOfTheOldOne() throws Exception {
    Path backup = folder.resolve("backup");
    Path kubeconfig = folder.resolve("old.kubeconfig");
    int port = BerthProcess.steadyPort();
    try (BerthProcess berth = BerthProcess.up(data(), port)) {
      berth.said("create", "-f", kept().toString());
      Files.copy(berth.kubeconfig(), kubeconfig);
      assertThat(MainTest.berth("backup", backup, "--data", data()).status()).isZero();
    }
    Path restored = folder.resolve("restored");
    assertThat(MainTest.berth("restore", backup, "--data", restored).status()).isZero();
    try (BerthProcess again = BerthProcess.up(restored, port);
        AdminClient client = new AdminClient(kubeconfig)) {
      assertThat(client.send("GET", CONFIG_MAPS + "/kept", "application/json", "").statusCode())
          .isEqualTo(200);
      assertThat(again.terminate()).isZero();
    }
  }
}
