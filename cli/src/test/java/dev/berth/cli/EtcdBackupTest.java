package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a cluster on a real etcd, and of one on disk, each restored into either. */
class EtcdBackupTest {
  private static final String[] ALL = {
    "get",
    "namespaces,services,configmaps,secrets,clusterroles,roles,flowschemas",
    "-A",
    "-o",
    "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.uid}{\"\\n\"}{end}"
  };

  @TempDir Path directory;
  private EtcdProcess etcd;

  @BeforeEach
  void start() throws IOException {
    etcd = EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1);
  }

  @AfterEach
  void stop() {
    etcd.close();
  }

  private String servers() {
    return etcd.endpoints().getFirst().toString();
  }

  private static String said(String... words) throws IOException {
    Process process =
        new ProcessBuilder(BerthProcess.command(List.of(words))).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  private String restored(Path file, Path data, String... further) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "restore",
                file.toString(),
                "--data",
                data.toString(),
                "--etcd-servers",
                servers()));
    words.addAll(List.of(further));
    return said(words.toArray(String[]::new));
  }

  private static long revision(BerthProcess berth) throws IOException {
    return Long.parseLong(
        berth
            .said("get", "--raw", "/api/v1/namespaces")
            .replaceFirst("(?s).*?\"resourceVersion\":\"(\\d+)\".*", "$1"));
  }

  @Test
  void aBackupOfEtcdIsRestoredIntoEtcdAndOntoDisk() throws Exception {
    Path data = directory.resolve("data");
    Path file = directory.resolve("backup");
    String before;
    String seen;
    long revision;
    try (BerthProcess berth = BerthProcess.up(data, 0, "--etcd-servers", servers())) {
      assertThat(berth.said("create", "configmap", "kept", "--from-literal=a=1"))
          .contains("created");
      before = berth.said(ALL);
      seen = berth.said("get", "configmap", "kept", "-o", "jsonpath={.metadata.resourceVersion}");
      assertThat(said("backup", file.toString(), "--data", data + "", "--etcd-servers", servers()))
          .contains("Backed up ", "--etcd-servers URL,...");
      revision = revision(berth);
      assertThat(berth.said("create", "configmap", "late")).contains("created");
      assertThat(restored(file, directory.resolve("x"), "--accept-revision"))
          .contains("uses this etcd: stop all of them");
      assertThat(berth.terminate()).isZero();
    }

    Path disk = directory.resolve("disk");
    assertThat(said("restore", file.toString(), "--data", disk.toString())).startsWith("Restored ");
    try (BerthProcess berth = BerthProcess.up(disk, 0)) {
      assertThat(berth.said(ALL)).isEqualTo(before);
      assertThat(berth.said("get", "configmap", "kept", "-o", "jsonpath={.data.a}")).isEqualTo("1");
      // As it was: a client that knows a later one of the same object must not take this for it.
      assertThat(
              berth.said("get", "configmap", "kept", "-o", "jsonpath={.metadata.resourceVersion}"))
          .isEqualTo(seen);
      assertThat(revision(berth)).isGreaterThan(revision + 1_000_000_000);
    }

    Path again = directory.resolve("again");
    assertThat(restored(file, again)).contains("etcdutl snapshot restore --bump-revision 10000");
    assertThat(restored(file, again, "--accept-revision"))
        .contains("The target holds /registry/", "not of this cluster: name an empty one");
    assertThat(restored(file, again, "--accept-revision", "--etcd-prefix", "/other"))
        .contains("and compared each of them");
    try (BerthProcess berth =
        BerthProcess.up(again, 0, "--etcd-servers", servers(), "--etcd-prefix", "/other")) {
      assertThat(berth.said(ALL)).isEqualTo(before);
      assertThat(revision(berth)).isGreaterThan(revision);
    }
  }

  @Test
  void aBackupOfADataDirectoryIsRestoredIntoEtcd() throws Exception {
    Path data = directory.resolve("data");
    Path file = directory.resolve("backup");
    String before;
    try (BerthProcess berth = BerthProcess.up(data, 0)) {
      assertThat(berth.said("create", "secret", "generic", "s", "--from-literal=a=b"))
          .contains("created");
      before = berth.said(ALL);
      assertThat(said("backup", file.toString(), "--data", data.toString()))
          .startsWith("Backed up ");
      assertThat(berth.terminate()).isZero();
    }

    Path again = directory.resolve("again");
    assertThat(restored(file, again, "--accept-revision")).contains("and compared each of them");
    try (BerthProcess berth = BerthProcess.up(again, 0, "--etcd-servers", servers())) {
      assertThat(berth.said(ALL)).isEqualTo(before);
      assertThat(berth.said("get", "secret", "s", "-o", "jsonpath={.data.a}")).isEqualTo("Yg==");
    }
  }

  @Test
  void whatCannotBeDoneIsSaidInALine() throws Exception {
    Path file = directory.resolve("backup");
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(
            said(
                "backup", file.toString(), "--data", empty.toString(), "--etcd-servers", servers()))
        .contains("There are no keys of the cluster in " + empty.resolve("pki"));
    assertThat(said("backup", file.toString(), "--encryption-provider-config", "f"))
        .contains("--encryption-provider-config has no effect without --etcd-servers");
    assertThat(said("restore", file.toString(), "--accept-revision"))
        .contains("--accept-revision has no effect without --etcd-servers");
    assertThat(restored(file, empty)).contains("There is no backup " + file);
    Files.writeString(file, "something else");
    assertThat(restored(file, empty)).contains(file + " is not a Berth store");
    assertThat(empty).isEmptyDirectory();
  }
}
