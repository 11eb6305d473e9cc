package dev.berth.client.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  @TempDir private Path directory;

  private static String resource(String name) {
    try (InputStream in = KubeconfigTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String data(String name) {
    return Base64.getEncoder().encodeToString(resource(name).getBytes(StandardCharsets.UTF_8));
  }

  private Path write(String name, String content) {
    try {
      return Files.writeString(directory.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file with one context, whose cluster and user are given as lines of YAML. */
  private Kubeconfig config(String cluster, String user) {
    return Kubeconfig.read(
        write(
            "config",
            """
            apiVersion: v1
            kind: Config
            current-context: here
            contexts:
            - name: here
              context: {cluster: c, user: u, namespace: mine}
            - name: there
              context: {cluster: c}
            clusters:
            - name: c
              cluster: {%s}
            users:
            - name: u
              user: {%s}
            """
                .formatted(cluster, user)));
  }

  private static final String SERVER = "server: 'https://10.0.0.1:6443'";

  @Test
  void theCurrentContextSaysWhereAndWho() {
    Connection here = config(SERVER, "token: abc").connection();

    assertThat(here.server()).isEqualTo(URI.create("https://10.0.0.1:6443"));
    assertThat(here.namespace()).isEqualTo("mine");
    assertThat(here.trust()).isEqualTo(new Trust.Machine(Optional.empty()));
    assertThat(token(here)).isEqualTo("abc");
  }

  @Test
  void otherServersOfTheClusterAreInAnExtension() {
    Connection here =
        config(
                SERVER
                    + ", extensions: [{name: other, extension: {a: 1}}, {name: berth.dev/servers,"
                    + " extension: {servers: ['https://10.0.0.2:6443', '10.0.0.3:6443']}}]",
                "token: abc")
            .connection();

    assertThat(here.servers())
        .containsExactly(
            URI.create("https://10.0.0.1:6443"),
            URI.create("https://10.0.0.2:6443"),
            URI.create("https://10.0.0.3:6443"));
  }

  private static String token(Connection connection) {
    return ((Identity.Token) connection.identity()).source().token(NOON);
  }

  @Test
  void anotherContextCanBeChosen() {
    Connection there = config(SERVER, "token: abc").connection("there");

    assertThat(there.namespace()).isEqualTo("default");
    assertThat(there.identity()).isEqualTo(new Identity.Anonymous());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ec-sec1.pem, EC",
    "ec384-sec1.pem, EC",
    "ec-pkcs8.pem, EC",
    "rsa-pkcs1.pem, RSA",
    "rsa-pkcs8.pem, RSA",
    "ed25519.pem, EdDSA",
  })
  void keysAreReadInAllTheirForms(String key, String algorithm) {
    Connection connection =
        config(
                SERVER,
                "client-certificate-data: %s, client-key-data: %s"
                    .formatted(data("certificate.pem"), data(key)))
            .connection();

    Identity.Certificate identity = (Identity.Certificate) connection.identity();
    assertThat(identity.key().getAlgorithm()).isEqualTo(algorithm);
    assertThat(identity.chain()).hasSize(1);
  }

  @Test
  void filesAreRelativeToTheKubeconfig() {
    write("ca.pem", resource("certificate.pem"));
    write("me.pem", resource("certificate.pem"));
    write("me.key", resource("ec-pkcs8.pem"));

    Connection connection =
        config(
                SERVER + ", certificate-authority: ca.pem, tls-server-name: kubernetes",
                "client-certificate: me.pem, client-key: me.key")
            .connection();

    assertThat(connection.identity()).isInstanceOf(Identity.Certificate.class);
    assertThat(connection.trust())
        .isInstanceOfSatisfying(
            Trust.Authorities.class,
            trust -> {
              assertThat(trust.certificates()).hasSize(1);
              assertThat(trust.serverName()).contains("kubernetes");
            });
  }

  @Test
  void certificatesNeedNotBeChecked() {
    assertThat(config(SERVER + ", insecure-skip-tls-verify: true", "").connection().trust())
        .isEqualTo(new Trust.Anything());
  }

  @Test
  void aTokenFileIsReadAgainEveryMinute() {
    Path file = write("token", "first\n");
    Connection connection = config(SERVER, "tokenFile: token").connection();
    TokenSource source = ((Identity.Token) connection.identity()).source();

    assertThat(source.token(NOON)).isEqualTo("first");
    write(file.getFileName().toString(), "second");
    assertThat(source.token(NOON.plusSeconds(59))).isEqualTo("first");
    assertThat(source.token(NOON.plusSeconds(60))).isEqualTo("second");
  }

  @Test
  void aPluginIsAskedAgainWhenItsTokenHasExpired() {
    String script =
        """
        echo x >> %1$s/runs
        printf '{"kind":"ExecCredential","status":{"token":"%%s-%%s","expirationTimestamp":"2030-01-01T13:00:00Z"}}' \
        "$WHO" "$(wc -l < %1$s/runs | tr -d ' ')"
        """
            .formatted(directory);
    write("plugin.sh", script);
    Connection connection =
        config(
                SERVER,
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: sh,"
                    + " args: ['%s/plugin.sh'], env: [{name: WHO, value: me}]}"
                        .formatted(directory))
            .connection();
    TokenSource source = ((Identity.Token) connection.identity()).source();

    assertThat(source.token(NOON)).isEqualTo("me-1");
    assertThat(source.token(NOON.plus(Duration.ofMinutes(59)))).isEqualTo("me-1");
    assertThat(source.token(NOON.plus(Duration.ofMinutes(60)))).isEqualTo("me-2");
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "x: y | token: a | the cluster \"c\" names no server",
        "server: 'nowhere at all' | token: a | the server \"nowhere at all\" of the cluster \"c\""
            + " is no address such as https://10.0.0.1:6443",
        "server: a, extensions: [{name: berth.dev/servers, extension: {servers: b}}] | token: a | the"
            + " extension berth.dev/servers of the cluster \"c\" should say \"servers:\" and a list of"
            + " addresses",
        "server: a, certificate-authority: missing | token: a | the certificate-authority of"
            + " clusters \"c\", missing, cannot be read (there is no such file)",
        "server: a, certificate-authority-data: bm8= | token: a | the certificate-authority of"
            + " clusters \"c\" cannot be used: it holds no \"BEGIN CERTIFICATE\" block",
        "server: a | client-key-data: bm8= | users \"u\" has a client-key without a"
            + " client-certificate",
        "server: a | exec: {apiVersion: v7, command: x} | the exec of users \"u\" has the"
            + " apiVersion \"v7\"; it should be client.authentication.k8s.io/v1",
        "server: a | auth-provider: {name: gcp} | users \"u\" uses an auth-provider, which no"
            + " client supports any more; use exec instead",
        "server: [a] | token: a | server: expected a string, found an array",
      })
  void whatCannotWorkIsSaid(String cluster, String user, String problem) {
    assertThatThrownBy(() -> config(cluster, user).connection())
        .isInstanceOf(ConnectionException.class)
        .hasMessage("The kubeconfig %s cannot be used: %s.", directory.resolve("config"), problem);
  }

  @Test
  void aContextThatIsNotThereIsSaidWithThoseThatAre() {
    assertThatThrownBy(() -> config(SERVER, "token: a").connection("where"))
        .hasMessageEndingWith("there is no context \"where\"; there are here, there.");
  }

  @Test
  void aFileThatIsNotThereIsSaid() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> Kubeconfig.read(missing))
        .hasMessage("The kubeconfig %s cannot be read (there is no such file).", missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kind: Pod", "[a, b]", "just words"})
  void aFileThatIsSomethingElseIsSaid(String content) {
    Path file = write("other", content);
    assertThatThrownBy(() -> Kubeconfig.read(file))
        .hasMessage("%s is no kubeconfig: it should say \"kind: Config\".", file);
  }

  @Test
  void aFileThatIsNoYamlIsSaid() {
    Path file = write("broken", "a: [b");
    assertThatThrownBy(() -> Kubeconfig.read(file))
        .hasMessageStartingWith(file + " is no kubeconfig: yaml: ");
  }

  @Test
  void aPodFindsItsServerInItsEnvironment() {
    write("ca.crt", resource("certificate.pem"));
    write("token", "abc");
    write("namespace", "mine");

    Connection connection =
        InCluster.connection(
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443"),
            directory);

    assertThat(connection.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
    assertThat(connection.namespace()).isEqualTo("mine");
    assertThat(token(connection)).isEqualTo("abc");
  }

  @Test
  void whatIsNoPodIsToldToNameAKubeconfig() {
    assertThatThrownBy(() -> InCluster.connection(Map.of(), directory))
        .hasMessage(
            "This is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set. Name"
                + " a kubeconfig instead.");
  }

  /** Users that are named after servers, as an API server reads them for its webhooks. */
  @ParameterizedTest
  @CsvSource({
    "hook.apps.svc:443,  exact",
    "other.apps.svc:443, apps",
    "hook.apps.svc:8443, other",
    "hook.more.svc:443,  svc",
    "example.com:8443,   example",
    "example.com:443,    other",
  })
  void theUserThatIsNamedAfterAServerIsShownToIt(String target, String token) {
    Kubeconfig config =
        Kubeconfig.read(
            write(
                "webhooks",
                """
                kind: Config
                users:
                - {name: hook.apps.svc, user: {token: exact}}
                - {name: '*.apps.svc', user: {token: apps}}
                - {name: '*.svc', user: {token: svc}}
                - {name: 'example.com:8443', user: {token: example}}
                - {name: '*', user: {token: other}}
                """));
    assertThat(config.identityFor(target))
        .isInstanceOfSatisfying(
            Identity.Token.class,
            identity -> assertThat(identity.source().token(NOON)).isEqualTo(token));
  }

  @Test
  void withoutOneTheCurrentContextsUserCountsOrNobody() {
    assertThat(config("server: https://a", "username: u").identityFor("b:443"))
        .isEqualTo(new Identity.Password("u", ""));
    assertThat(Kubeconfig.read(write("none", "kind: Config")).identityFor("b:443"))
        .isEqualTo(new Identity.Anonymous());
  }
}
