package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grpc.etcd.EtcdCertificates;
import dev.berth.grpc.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster moves from its data directory to a real etcd and back, and serves the same objects. */
class MigrateTest {
  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: ships.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: ships, kind: Ship}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
          additionalPrinterColumns: [{name: Sails, type: integer, jsonPath: .spec.sails}]
      """;
  private static final String[] ALL = {
    "get",
    "nodes,services,endpoints,configmaps,secrets,clusterroles,crds,apiservices,ships,roles,flowschemas",
    "-A",
    "-o",
    "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.uid}{\"\\n\"}{end}"
  };

  @TempDir Path directory;

  private static String migrate(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("migrate"));
    command.addAll(List.of(words));
    return said(BerthProcess.command(command));
  }

  private static String said(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ETCDCTL_API", "3");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.onExit().join();
    return said;
  }

  @Test
  void theSameObjectsAreServedFromEtcdAndFromDiskAgain() throws Exception {
    Path data = directory.resolve("data");
    String before;
    long revision;
    try (BerthProcess berth = BerthProcess.up(data, 0)) {
      Path crd = Files.writeString(directory.resolve("crd.yaml"), CRD);
      assertThat(berth.said("apply", "-f", crd.toString())).contains("created");
      assertThat(berth.said("wait", "--for=condition=Established", "crd/ships.example.com"))
          .contains("met");
      Path ship =
          Files.writeString(
              directory.resolve("ship.yaml"),
              """
              apiVersion: example.com/v1
              kind: Ship
              metadata: {name: s1}
              spec: {sails: 3, cost: 1.50}
              """);
      assertThat(berth.said("apply", "-f", ship.toString())).contains("created");
      assertThat(berth.said("create", "secret", "generic", "s", "--from-literal=a=b"))
          .contains("created");
      berth.awaitSaid("v1\\.example\\.com", "get", "apiservices");
      before = berth.said(ALL);
      revision = revision(berth);
    }
    try (EtcdProcess etcd =
        EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1)) {
      String servers = etcd.endpoints().getFirst().toString();
      Path back = directory.resolve("back");

      assertThat(migrate("--to-etcd", "--data", data.toString(), "--etcd-servers", servers))
          .contains("compared each of them");

      try (BerthProcess berth = BerthProcess.up(data, 0, "--etcd-servers", servers)) {
        assertThat(berth.said(ALL)).isEqualTo(before);
        assertThat(berth.said("get", "ships", "s1")).contains("3");
        assertThat(revision(berth)).isGreaterThan(revision);
        revision = revision(berth);
        berth.awaitSaid(
            "\\S",
            "get",
            "lease",
            "-n",
            "kube-system",
            "kube-scheduler",
            "-o",
            "jsonpath={.spec.holderIdentity}");
        assertThat(migrate("--to-embedded", "--data", back.toString(), "--etcd-servers", servers))
            .contains("stop all of them");
        berth.terminate();
      }
      assertThat(migrate("--to-embedded", "--data", back.toString(), "--etcd-servers", servers))
          .contains("compared each of them");
      try (BerthProcess berth = BerthProcess.up(back, 0)) {
        assertThat(berth.said(ALL)).isEqualTo(before);
        assertThat(berth.said("get", "ships", "s1", "-o", "jsonpath={.spec}")).contains("1.5");
        assertThat(revision(berth)).isGreaterThan(revision);
      }
    }
  }

  private static long revision(BerthProcess berth) throws Exception {
    return Long.parseLong(
        berth
            .said("get", "--raw", "/api/v1/namespaces")
            .replaceFirst("(?s).*?\"resourceVersion\":\"(\\d+)\".*", "$1"));
  }

  @Test
  void whatCannotBeDecodedStopsNobodyAndIsNamed() throws Exception {
    try (EtcdProcess etcd =
        EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1)) {
      String servers = etcd.endpoints().getFirst().toString();
      List<String> doctor = BerthProcess.command(List.of("doctor", "--etcd-servers", servers));
      try (BerthProcess berth =
          BerthProcess.up(directory.resolve("data"), 0, "--etcd-servers", servers)) {
        assertThat(said(doctor)).contains("objects can be read.");
        String put = "/registry/configmaps/default/bad";
        assertThat(said(List.of("etcdctl", "--endpoints", servers, "put", put, "junk")))
            .contains("OK");
        assertThat(said(doctor))
            .contains("/registry/configmaps/default/bad: it is neither protobuf nor JSON")
            .contains("1 of ");
        // By the names that etcdctl finds them by.
        String odd = "/registry/deployments/default/bad";
        assertThat(said(List.of("etcdctl", "--endpoints", servers, "put", odd, "junk")))
            .contains("OK");
        assertThat(said(doctor)).contains(odd + ": it is neither protobuf nor JSON");
        assertThat(berth.said("get", "nodes,services")).contains("kubernetes");
      }
      try (BerthProcess berth =
          BerthProcess.up(directory.resolve("data"), 0, "--etcd-servers", servers)) {
        assertThat(berth.said("get", "services")).contains("kubernetes");
        // What a kube-apiserver would find there.
        assertThat(
                said(
                    List.of(
                        "etcdctl",
                        "--endpoints",
                        servers,
                        "get",
                        "--prefix",
                        "--keys-only",
                        "/registry/")))
            .contains("/registry/services/specs/default/kubernetes")
            .contains("/registry/clusterroles/cluster-admin")
            .contains("/registry/apiregistration.k8s.io/apiservices/v1.apps")
            .doesNotContain(".rbac.authorization.k8s.io/");
      }
    }
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    assertThat(migrate("--to-etcd")).contains("--etcd-servers must name the etcd.");
    assertThat(migrate("--etcd-servers", "http://127.0.0.1:1"))
        .contains("Either --to-etcd or --to-embedded says where the objects go.");
  }

  @Test
  void whatIsWrongIsSaidInOneLine() throws Exception {
    try (EtcdProcess etcd =
        EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1)) {
      String servers = etcd.endpoints().getFirst().toString();
      Path data = directory.resolve("data");
      assertThat(migrate("--to-embedded", "--etcd-servers", servers, "--data", data.toString()))
          .endsWith(
              "berth: There is nothing to copy below /registry in this etcd: check --etcd-servers"
                  + " and --etcd-prefix.\n");
      assertThat(data).doesNotExist();
      Files.createDirectory(data);
      assertThat(migrate("--to-etcd", "--etcd-servers", servers, "--data", data.toString()))
          .endsWith(
              "berth: There is nothing to copy in %s: name the data directory of the cluster by --data.\n"
                  .formatted(data));
      assertThat(said(BerthProcess.command(List.of("doctor", "--etcd-servers", servers))))
          .endsWith("There are no objects: check --data, or --etcd-servers and --etcd-prefix.\n");
      String tls = servers.replace("http:", "https:");
      assertThat(said(BerthProcess.command(List.of("doctor", "--etcd-servers", tls))))
          .endsWith(
              "berth: etcd at %s cannot be used: it does not speak TLS, as members do that want http://"
                      .formatted(tls)
                  + " (\"Connection closed while performing TLS negotiation\"). Check that it runs,"
                  + " and the --etcd- options.\n");
      assertThat(doctor(servers, "--etcd-prefix", "//"))
          .endsWith("berth: --etcd-prefix must name something, such as /registry, not \"//\".\n");
      assertThat(doctor(servers.replace("http://", "http://a:b@")))
          .contains("berth: --etcd-servers must be URLs such as https://10.0.0.1:2379");
    }
    assertThat(
            said(
                BerthProcess.command(
                    List.of("doctor", "--etcd-servers", "http://there-is-no-such-host.invalid:1"))))
        .contains("berth: etcd at http://there-is-no-such-host.invalid:1 cannot be used: ")
        .doesNotContain("\tat ");
  }

  private static String doctor(String servers, String... further) throws IOException {
    List<String> words = new ArrayList<>(List.of("doctor", "--etcd-servers", servers));
    words.addAll(List.of(further));
    return said(BerthProcess.command(words));
  }

  /**
   * Whoever is wrong: the authority, the certificate that is shown, that none is, or the scheme.
   */
  @Test
  void whatIsWrongWithTlsIsSaidInPlainWords() throws Exception {
    EtcdCertificates own = EtcdCertificates.write(Files.createDirectory(directory.resolve("own")));
    EtcdCertificates other =
        EtcdCertificates.write(Files.createDirectory(directory.resolve("other")));
    try (EtcdProcess etcd =
        EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1, own.members())) {
      String servers = etcd.endpoints().getFirst().toString();
      List<String> shown =
          List.of(
              "--etcd-certfile", own.certificate().toString(), "--etcd-keyfile", own.key() + "");
      List<String> strange =
          List.of(
              "--etcd-certfile",
              other.certificate().toString(),
              "--etcd-keyfile",
              other.key().toString());
      assertThat(doctor(servers, with(shown, "--etcd-cafile", other.authority().toString())))
          .contains("nobody who is trusted has signed its certificate");
      assertThat(doctor(servers, with(strange, "--etcd-cafile", own.authority().toString())))
          .containsPattern("(answers only|does not trust|want https:// or another) .*certificate");
      assertThat(doctor(servers, "--etcd-cafile", own.authority().toString()))
          .containsPattern("(answers only|does not trust|want https:// or another) .*certificate");
      assertThat(doctor(servers.replace("https:", "http:")))
          .contains("it ended the connection, as members do that want https://");
    }
  }

  private static String doctor(String servers, List<String> further) throws IOException {
    return doctor(servers, further.toArray(String[]::new));
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() throws Exception {
    EtcdCertificates one = EtcdCertificates.write(Files.createDirectory(directory.resolve("one")));
    EtcdCertificates other =
        EtcdCertificates.write(Files.createDirectory(directory.resolve("other")));
    List<String> words =
        new ArrayList<>(List.of("doctor", "--etcd-servers", "https://127.0.0.1:1"));
    words.addAll(List.of("--etcd-certfile", one.certificate().toString()));
    assertThat(said(BerthProcess.command(with(words, "--etcd-keyfile", other.key().toString()))))
        .endsWith(
            "berth: The key in %s (--etcd-keyfile) is not that of the first certificate in %s (--etcd-certfile).\n"
                .formatted(other.key(), one.certificate()));
    String missing = directory.resolve("missing").toString();
    assertThat(said(BerthProcess.command(with(words, "--etcd-keyfile", missing))))
        .endsWith("berth: There is no file %s.\n".formatted(missing));
    assertThat(said(BerthProcess.command(with(words, "--etcd-cafile", missing))))
        .endsWith("berth: There is no file %s.\n".formatted(missing));
  }

  private static List<String> with(List<String> words, String option, String value) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(option, value));
    return all;
  }
}
