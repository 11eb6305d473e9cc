package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import dev.berth.http.ServerTls;
import dev.berth.http.jetty.HttpServer;
import dev.berth.pki.ClientCertificates;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.KubeconfigFile;
import dev.berth.pki.ServerNames;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administrator's kubeconfig, as the real kubectl reads it. */
class KubeconfigFileTest {

  @TempDir Path data;
  private final Instant now = new WallTime(_ -> {}).now();
  private Path file;
  private ClusterCa ca;

  @BeforeEach
  void open() {
    file = data.resolve("admin.kubeconfig");
    ca = ClusterCa.open(data.resolve("pki"), now);
  }

  private void write(URI server) {
    new KubeconfigFile(server, ca.trusted(), ca.administrator(now)).write(file);
  }

  private String kubectl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", file.toString()));
    command.addAll(List.of(arguments));
    Path output = data.resolve("output");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      throw new AssertionError(
          "There is no kubectl: install the Debian package kubernetes-client.", e);
    }
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  void namesClusterUserAndContext() throws Exception {
    write(URI.create("https://127.0.0.1:6443"));
    assertThat(
            kubectl(
                "config",
                "view",
                "--output",
                "jsonpath={.current-context} {.clusters[*].name} {.users[*].name}"
                    + " {.clusters[0].cluster.server} {.contexts[0].context}"))
        .isEqualTo(
            "berth berth admin https://127.0.0.1:6443 {\"cluster\":\"berth\",\"user\":\"admin\"}");
  }

  @Test
  void isTheOwnersAloneAlsoWhereAWiderFileWas() throws Exception {
    Files.writeString(file, "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    write(URI.create("https://127.0.0.1:6443"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file).content().startsWith("apiVersion: v1\n");
  }

  @Test
  void kubectlReachesTheServerAsTheAdministrator() throws Exception {
    BlockingQueue<ClientCertificates.Verdict> clients = new LinkedBlockingQueue<>();
    String version =
        """
        {"major": "1", "minor": "36", "gitVersion": "v1.36.0+berth", "gitCommit": "",
         "gitTreeState": "clean", "buildDate": "2026-01-01T00:00:00Z", "goVersion": "none",
         "compiler": "javac", "platform": "linux/amd64"}
        """;
    Credential server = ca.server(ServerNames.of(List.of()), now);
    var config =
        new HttpConfig(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerTls(server.key(), List.of(server.certificate()), List.of(ca.certificate())),
            HttpLimits.DEFAULT,
            (_, _, _) -> {});
    try (HttpServer http =
        HttpServer.start(
            config,
            exchange -> {
              clients.add(ca.clientCertificates().verify(exchange.peerCertificates(), now));
              exchange.respond(
                  exchange.path().equals("/version")
                      ? Response.of(200, "application/json", version.getBytes(UTF_8))
                      : Response.of(404, "text/plain", new byte[0]));
            })) {
      write(URI.create("https://127.0.0.1:" + http.port()));
      assertThat(kubectl("version")).contains("Server Version: v1.36.0+berth");
    }
    assertThat(clients.take())
        .isEqualTo(
            new ClientCertificates.Verdict.Valid("kubernetes-admin", List.of("system:masters")));
  }
}
