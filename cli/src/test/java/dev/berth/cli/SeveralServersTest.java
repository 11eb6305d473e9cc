package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdCertificates;
import dev.berth.grpc.etcd.EtcdProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on an etcd of three members, over TLS, and kubectl against either. */
class SeveralServersTest {
  @TempDir Path directory;
  private final Elsewhere elsewhere;
  private EtcdProcess etcd;
  private EtcdCertificates certificates;
  private BerthProcess one;
  private BerthProcess other;

  SeveralServersTest() throws IOException {
    elsewhere = Elsewhere.find();
  }

  @BeforeEach
  void start() throws IOException {
    certificates = EtcdCertificates.write(directory);
    etcd =
        EtcdProcess.start(
            Files.createDirectory(directory.resolve("etcd")), 3, certificates.members());
    one = up("one", elsewhere.one());
    assertThat(join(joinLine())).contains("Next:", "berth up --data ", "--etcd-servers=");
    other = up("other", elsewhere.other());
  }

  /** The words that make another machine a server, as the first one prints them. */
  private List<String> joinLine() throws IOException {
    String line = berth(List.of("server", "token", "--data", directory.resolve("one").toString()));
    // The address of the first, which lives, although the other was started later.
    assertThat(line).startsWith("berth server join https://%s:".formatted(elsewhere.one()));
    List<String> words = new ArrayList<>(List.of(line.strip().split(" ", -1)));
    assertThat(words.removeFirst()).isEqualTo("berth");
    // What is advertised is on no machine.
    words.set(2, "https://127.0.0.1:" + one.port());
    words.set(words.indexOf("--data") + 1, directory.resolve("other").toString());
    return words;
  }

  private static String join(List<String> words) throws IOException {
    return berth(words);
  }

  private static String berth(List<String> words) throws IOException {
    Process process =
        new ProcessBuilder(BerthProcess.command(words)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static List<String> with(List<String> words, String option, String value) {
    List<String> changed = new ArrayList<>(words);
    changed.set(changed.indexOf(option) + 1, value);
    return changed;
  }

  private BerthProcess up(String name, String address) throws IOException {
    List<String> options = new ArrayList<>(certificates.options(etcd));
    options.addAll(List.of("--advertise-address", address));
    return BerthProcess.up(directory.resolve(name), 0, options.toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    if (other != null) {
      other.close();
    }
    if (one != null) {
      one.close();
    }
    etcd.close();
  }

  @Test
  void eitherServesWhatTheOtherWrote() throws Exception {
    for (int i = 0; i < 3; i++) {
      String name = "m" + i;
      assertThat(one.said("create", "configmap", name, "--from-literal=a=" + i))
          .contains("created");
      assertThat(other.said("get", "configmap", name, "-o", "jsonpath={.data.a}"))
          .isEqualTo(Integer.toString(i));
      assertThat(other.said("delete", "configmap", name)).contains("deleted");
      assertThat(one.said("get", "configmap", name)).contains("NotFound");
    }
    assertThat(one.said("create", "configmap", "listed")).contains("created");
    Process watch = other.kubectl("get", "configmaps", "--watch", "-o", "name");
    try {
      var lines = watch.inputReader(StandardCharsets.UTF_8);
      // What comes after the list is told by the watch.
      awaitLine(lines, "configmap/listed");
      assertThat(one.said("create", "configmap", "seen")).contains("created");
      awaitLine(lines, "configmap/seen");
    } finally {
      watch.destroyForcibly();
    }
  }

  private static void awaitLine(BufferedReader lines, String wanted) throws IOException {
    String line = lines.readLine();
    while (!wanted.equals(line)) {
      assertThat(line).as("before " + wanted).isNotNull();
      line = lines.readLine();
    }
  }

  /** Addresses and node ports are given once, whoever gives them. */
  @Test
  void servicesOfBothHaveAddressesAndPortsOfTheirOwn() throws Exception {
    List<Process> creating = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      creating.add(
          (i % 2 == 0 ? one : other)
              .kubectl("create", "service", "nodeport", "s" + i, "--tcp=80:80"));
    }
    for (Process each : creating) {
      String said = new String(each.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(each.waitFor()).as(said).isZero();
    }
    String given =
        one.said(
            "get",
            "services",
            "-o",
            "jsonpath={range .items[*]}{.spec.clusterIP} {.spec.ports[0].nodePort}{\"\\n\"}{end}");
    List<String> words = new ArrayList<>(Arrays.asList(given.trim().split("\\s+")));
    assertThat(words).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(16);
    assertThat(one.said("create", "service", "nodeport", "x", "--tcp=80:80", "--node-port=30123"))
        .contains("created");
    assertThat(other.said("create", "service", "nodeport", "y", "--tcp=80:80", "--node-port=30123"))
        .contains("provided port is already allocated");
  }

  @Test
  void keysAreGivenToWhoeverHasTheWholeLineAndToNobodyElse() throws Exception {
    List<String> line = joinLine();
    String token = line.get(line.indexOf("--token") + 1);
    String id = token.substring(0, token.indexOf('.'));
    Path pki = directory.resolve("one/pki");

    // Who may read the API sees no key, nor anything to decrypt one with.
    String secrets = one.said("get", "secrets,configmaps", "-A", "-o", "yaml");
    assertThat(secrets).contains("berth-server-keys-" + id).doesNotContain(token.substring(24));
    for (String each : secrets.split("\\s+", -1)) {
      if (each.matches("[A-Za-z0-9+/]{40,}={0,2}")) {
        assertThat(new String(Base64.getDecoder().decode(each), StandardCharsets.ISO_8859_1))
            .doesNotContain("PRIVATE KEY");
      }
    }

    assertThat(join(with(line, "--ca-hash", "sha256:" + "0".repeat(64))))
        .contains("not the one of --ca-hash: that is not the cluster that is meant.");
    assertThat(join(with(line, "--token", token.substring(0, 23))))
        .contains("That is no token for servers", "are for nodes");
    assertThat(join(with(line, "--token", token.substring(0, 24) + "0".repeat(64))))
        .contains("cannot be decrypted with this token: its last part is wrong");
    assertThat(join(with(line, "--token", "aaaaaa" + token.substring(6))))
        .contains("does not know this token, or it has expired. Make another one");
    Path strange = directory.resolve("strange");
    Files.createDirectories(strange.resolve("pki"));
    Files.writeString(strange.resolve("pki/ca.key"), "another");
    assertThat(join(with(line, "--data", strange.toString())))
        .contains(strange.resolve("pki") + " holds the keys of another cluster");
    assertThat(berth(List.of("server", "token", "--data", strange.toString())))
        .contains("No server is running in " + strange);

    // Another time, with the keys as they have become.
    assertThat(berth(List.of("certs", "rotate", "ca", "prepare", "--data", pki.getParent() + "")))
        .contains("a new key is trusted");
    assertThat(join(joinLine())).contains("The server that runs there uses them within 10 seconds");
    for (String shared : List.of("ca.crt", "ca.key", "ca-next.key", "sa.key", "sa.pub")) {
      assertThat(directory.resolve("other/pki").resolve(shared))
          .hasSameBinaryContentAs(pki.resolve(shared));
    }

    assertThat(berth(List.of("token", "delete", id, "--data", directory.resolve("one").toString())))
        .contains("Deleted the token " + id);
    assertThat(join(line)).contains("does not know this token, or it has expired");
    one.await("delete", "secret/berth-server-keys-" + id, "-n", "kube-system");
    one.await("delete", "role/berth-server-keys-" + id, "-n", "kube-system");
  }

  @Test
  void theOtherGoesOnWhenOneIsKilled() throws Exception {
    String[] endpoints = {
      "get", "endpointslice", "kubernetes", "-o", "jsonpath={.endpoints[*].addresses[0]}"
    };
    other.awaitSaid(elsewhere.one() + " " + elsewhere.other(), endpoints);
    one.kill();
    etcd.kill(0);
    assertThat(other.said("create", "deployment", "web", "--image=x", "--replicas=2"))
        .contains("created");
    other.awaitSaid(
        "^web-\\S+ web-\\S+$", "get", "pods", "-o", "jsonpath={.items[*].metadata.name}");
    other.awaitSaid("^" + elsewhere.other() + "$", endpoints);
    other.awaitSaid(
        "server: https://%s:".formatted(elsewhere.other()),
        "get",
        "configmap",
        "cluster-info",
        "-n",
        "kube-public",
        "-o",
        "jsonpath={.data.kubeconfig}");
  }
}
