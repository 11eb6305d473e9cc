package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that has reached its quota and raised its alarm NOSPACE, and what an operator does. */
class FullEtcdTest {
  private static final String QUOTA = Integer.toString(16 << 20);
  private static final int VALUE_BYTES = 900_000;

  @TempDir Path directory;

  @Test
  void clientsAreToldWhyNothingIsWrittenUntilThereIsRoomAgain() throws Exception {
    Path value = Files.writeString(directory.resolve("value"), "x".repeat(VALUE_BYTES));
    try (EtcdProcess etcd =
            EtcdProcess.start(
                Files.createDirectory(directory.resolve("etcd")),
                1,
                List.of("--quota-backend-bytes", QUOTA));
        BerthProcess berth =
            BerthProcess.up(
                directory.resolve("one"),
                0,
                "--etcd-servers",
                etcd.endpoints().getFirst().toString());
        AdminClient client = new AdminClient(berth.kubeconfig())) {
      int count = 0;
      String said = create(berth, "big-0", value);
      while (said.contains("created")) {
        said = create(berth, "big-" + ++count, value);
      }
      assertThat(said)
          .contains(
              "Internal error occurred",
              "/registry/configmaps/default/big-%d was not written".formatted(count),
              "\"etcdserver: mvcc: database space exceeded\"");

      // As at a kube-apiserver: what only reads goes on, and what makes room may.
      assertThat(client.send("GET", "/readyz", "text/plain", "").statusCode()).isEqualTo(200);
      assertThat(berth.said("get", "configmaps", "-o", "name")).contains("configmap/big-0");
      assertThat(berth.said("label", "configmap", "big-0", "a=b"))
          .contains("database space exceeded");
      for (int i = 0; i < count; i++) {
        assertThat(berth.said("delete", "configmap", "big-" + i)).contains("deleted");
      }
      assertThat(create(berth, "small", Files.writeString(directory.resolve("small"), "x")))
          .contains("database space exceeded");

      Matcher revision =
          Pattern.compile("\"revision\":(\\d+)")
              .matcher(etcdctl(etcd, "endpoint", "status", "-w", "json"));
      assertThat(revision.find()).isTrue();
      assertThat(etcdctl(etcd, "compact", revision.group(1))).contains("compacted revision");
      assertThat(etcdctl(etcd, "defrag")).contains("Finished defragmenting");
      assertThat(etcdctl(etcd, "alarm", "disarm")).contains("NOSPACE");
      assertThat(create(berth, "big-again", value)).contains("created");
    }
  }

  private static String create(BerthProcess berth, String name, Path value) throws IOException {
    return berth.said("create", "configmap", name, "--from-file=value=" + value);
  }

  private static String etcdctl(EtcdProcess etcd, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("etcdctl"));
    command.add("--endpoints=" + etcd.endpoints().getFirst());
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ETCDCTL_API", "3");
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
