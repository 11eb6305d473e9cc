package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Services, their addresses and the tokens of accounts with the real {@code kubectl}. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubectlServicesTest {
  @TempDir static Path folder;
  private static BerthProcess berth;

  @BeforeAll
  static void up() throws IOException {
    berth =
        BerthProcess.up(
            folder.resolve("data"),
            0,
            "--service-cluster-ip-range=10.5.0.0/29,fd00:5::/124",
            "--service-node-port-range=31000-31099");
  }

  @AfterAll
  static void down() {
    berth.close();
  }

  private static String said(String... words) throws IOException {
    return berth.said(words).strip();
  }

  private static String applied(String manifest) throws IOException {
    Path file = folder.resolve("manifest.yaml");
    Files.writeString(file, manifest);
    return said("apply", "-f", file.toString());
  }

  private static String service(String name, String fields) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {name: %s}
    spec: {%sports: [{port: 80}]}
    """
        .formatted(name, fields);
  }

  private static String field(String object, String path) throws IOException {
    return said("get", object, "-o", "jsonpath={" + path + "}");
  }

  @Test
  @Order(1)
  void theServersOwnService() throws IOException {
    assertThat(said("get", "servicecidr", "kubernetes", "--no-headers"))
        .containsPattern("kubernetes +10.5.0.0/29,fd00:5::/124 ");
    berth.await("condition=Ready", "servicecidr/kubernetes");
    assertThat(field("service/kubernetes", ".spec.clusterIPs")).isEqualTo("[\"10.5.0.1\"]");
    assertThat(said("get", "ipaddress", "10.5.0.1", "--no-headers"))
        .contains("services/default/kubernetes");
    assertThat(field("ipaddress/10.5.0.1", ".metadata.labels"))
        .contains(
            "\"ipaddress.kubernetes.io/ip-family\":\"IPv4\"",
            "\"ipaddress.kubernetes.io/managed-by\":\"ipallocator.k8s.io\"");
  }

  @Test
  @Order(2)
  void aServiceOfBothFamilies() throws IOException {
    applied(service("both", "ipFamilyPolicy: RequireDualStack, "));
    assertThat(field("service/both", ".spec.ipFamilies")).isEqualTo("[\"IPv4\",\"IPv6\"]");
    assertThat(field("service/both", ".spec.clusterIPs[1]")).startsWith("fd00:5::");
    assertThat(said("get", "ipaddresses", "-o", "name").lines()).hasSize(3);
    said("patch", "service", "both", "-p", "{\"spec\":{\"ipFamilyPolicy\":\"SingleStack\"}}");
    assertThat(field("service/both", ".spec.clusterIPs")).startsWith("[\"10.5.0.").hasSize(12);
    assertThat(said("get", "ipaddresses", "-o", "name").lines()).hasSize(2);
    assertThat(said("create", "service", "nodeport", "nodes", "--tcp=80"))
        .isEqualTo("service/nodes created");
    assertThat(Integer.parseInt(field("service/nodes", ".spec.ports[0].nodePort")))
        .isBetween(31_016, 31_099);
    said("delete", "service", "both", "nodes");
    assertThat(said("get", "ipaddresses", "-o", "name").lines()).hasSize(1);
  }

  @Test
  @Order(3)
  void aRangeIsFullIsExtendedAndGivenBack() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertThat(applied(service("full-" + i, ""))).endsWith("created");
    }
    assertThat(applied(service("more", "")))
        .contains("failed to allocate a serviceIP for Service \"more\": range is full");
    String extra =
        """
        apiVersion: networking.k8s.io/v1
        kind: ServiceCIDR
        metadata: {name: extra}
        spec: {cidrs: [203.0.113.0/24]}
        """;
    assertThat(applied(extra)).isEqualTo("servicecidr.networking.k8s.io/extra created");
    berth.await("condition=Ready", "servicecidr/extra");
    assertThat(field("servicecidr/extra", ".metadata.finalizers"))
        .isEqualTo("[\"networking.k8s.io/service-cidr-finalizer\"]");
    assertThat(applied(service("more", ""))).isEqualTo("service/more created");
    assertThat(field("service/more", ".spec.clusterIP")).startsWith("203.0.113.");

    said("delete", "servicecidr", "extra", "--wait=false");
    berth.await("condition=Ready=False", "servicecidr/extra");
    assertThat(field("servicecidr/extra", ".status.conditions[0].message"))
        .startsWith("There are still IPAddresses referencing the ServiceCIDR");
    assertThat(applied(service("late", "clusterIP: 203.0.113.77, ")))
        .contains("the provided network does not match the current range");
    said("delete", "service", "more");
    berth.await("delete", "servicecidr/extra");
    assertThat(said("get", "servicecidrs", "-o", "name"))
        .isEqualTo("servicecidr.networking.k8s.io/kubernetes");
  }

  @Test
  @Order(4)
  void aTokenInASecretIsGoodUntilItsAccountGoes() throws IOException {
    said("create", "serviceaccount", "robot");
    applied(
        """
        apiVersion: v1
        kind: Secret
        metadata:
          name: robot
          annotations: {kubernetes.io/service-account.name: robot}
        type: kubernetes.io/service-account-token
        """);
    berth.await("jsonpath={.data.token}", "secret/robot");
    assertThat(decoded(field("secret/robot", ".data.namespace"))).isEqualTo("default");
    assertThat(decoded(field("secret/robot", ".data.ca\\.crt"))).contains("BEGIN CERTIFICATE");
    String token = decoded(field("secret/robot", ".data.token"));
    assertThat(asToken(token)).contains("system:serviceaccount:default:robot");
    assertThat(field("secret/robot", ".metadata.labels")).contains("legacy-token-last-used");
    said("delete", "serviceaccount", "robot");
    berth.await("delete", "secret/robot");
    assertThat(asToken(token)).contains("Unauthorized");
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
  }

  /** What a client is told that has a token and no certificate. */
  private static String asToken(String token) throws IOException {
    Path file = folder.resolve("token.kubeconfig");
    List<String> lines =
        Files.readAllLines(berth.kubeconfig()).stream()
            .filter(line -> !line.contains("client-key-data"))
            .map(line ->
                line.contains("client-certificate-data")
                    ? line.replaceAll("client-certificate-data: .*", "token: " + token)
                    : line)
            .toList();
    Files.write(file, lines);
    Process process =
        new ProcessBuilder("kubectl", "--kubeconfig", file.toString(), "auth", "whoami")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
