package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth certs}, on the directory of a server that runs and of one that does not. */
class CertsTest {
  @TempDir Path folder;

  private Path data() {
    return folder.resolve("data");
  }

  private MainTest.Ended certs(String... words) {
    Object[] all = new Object[words.length + 3];
    all[0] = "certs";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--data";
    all[words.length + 2] = data();
    return MainTest.berth(all);
  }

  private void done(String... words) {
    MainTest.Ended ended = certs(words);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isEqualTo(ExitCode.OK);
  }

  private static String kubectl(Path kubeconfig, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  /** Certificates of a kubeconfig: {@code certificate-authority} or {@code client-certificate}. */
  private static List<X509Certificate> certificates(Path kubeconfig, String field)
      throws IOException {
    Matcher data = Pattern.compile(field + "-data: (\\S+)").matcher(Files.readString(kubeconfig));
    assertThat(data.find()).isTrue();
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(data.group(1))))
          .stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until the server, which looks every few seconds, trusts so many authorities. */
  private static void awaitAuthorities(Path kubeconfig, int count) {
    Await.until(
        count + " authorities",
        () -> certificates(kubeconfig, "certificate-authority").size() == count);
  }

  /** Waits until the administrator's certificate is no longer signed by an authority's key. */
  private static void awaitSignedByAnother(Path kubeconfig, X509Certificate authority) {
    Await.until(
        "another signature",
        () -> {
          try {
            certificates(kubeconfig, "client-certificate")
                .getFirst()
                .verify(authority.getPublicKey());
            return false;
          } catch (SignatureException e) {
            return true;
          } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aRunningServerChangesItsKeysWhileClientsGoOn() throws Exception {
    try (BerthProcess berth = BerthProcess.up(data(), 0)) {
      Path old = copy(berth, "old");
      String oldToken = berth.said("create", "token", "default").strip();
      Process watch = berth.kubectl("get", "configmaps", "-w", "-o", "name");

      done("rotate", "service-account-key", "prepare");
      done("rotate", "ca", "prepare");
      awaitAuthorities(berth.kubeconfig(), 2);
      assertThat(kubectl(old, "get", "--raw", "/readyz")).isEqualTo("ok");
      assertThat(berth.said("get", "--raw", "/openid/v1/jwks").split("\"kid\"", -1)).hasSize(3);
      awaitTwoCertificates(berth);
      Path bundled = copy(berth, "bundled");

      done("rotate", "service-account-key", "switch");
      done("rotate", "ca", "switch");
      awaitSignedByAnother(
          berth.kubeconfig(), certificates(old, "certificate-authority").getFirst());
      assertThat(kubectl(bundled, "get", "--raw", "/readyz"))
          .as("a client with the old certificate that trusts both")
          .isEqualTo("ok");
      assertThat(kubectl(old, "get", "--raw", "/readyz"))
          .as("a client that was not given the new authority")
          .contains("certificate signed by unknown authority");
      assertThat(berth.said("get", "--raw", "/readyz")).isEqualTo("ok");
      String newToken = berth.said("create", "token", "default").strip();
      for (String token : new String[] {oldToken, newToken}) {
        assertThat(whoami(bundled, token)).contains("system:serviceaccount:default:default");
      }

      done("rotate", "service-account-key", "finish");
      done("rotate", "ca", "finish");
      awaitAuthorities(berth.kubeconfig(), 1);
      assertThat(kubectl(bundled, "get", "--raw", "/readyz"))
          .as("a client whose certificate the old authority signed")
          .contains("Unauthorized");
      Path fresh = copy(berth, "fresh");
      assertThat(kubectl(fresh, "get", "--raw", "/readyz")).isEqualTo("ok");
      assertThat(whoami(fresh, newToken)).contains("system:serviceaccount:default:default");
      assertThat(whoami(fresh, oldToken)).contains("Unauthorized");
      assertThat(watch.isAlive()).as("a watch from before all of it").isTrue();
      watch.destroy();
    }
  }

  private Path copy(BerthProcess berth, String name) throws IOException {
    return Files.copy(
        berth.kubeconfig(), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Who a token is, without the certificate that goes before it. */
  private String whoami(Path kubeconfig, String token) throws IOException {
    Path withToken = folder.resolve("token");
    Files.writeString(
        withToken,
        Files.readString(kubeconfig)
            .replaceAll("client-certificate-data: \\S+", "token: " + token)
            .replaceAll("client-key-data: \\S+", ""));
    return kubectl(withToken, "auth", "whoami");
  }

  private static void awaitTwoCertificates(BerthProcess berth) throws IOException {
    Process watch =
        berth.kubectl(
            "get", "configmap", "kube-root-ca.crt", "-w", "-o", "jsonpath={.data.ca\\.crt}#");
    try (Scanner versions = new Scanner(watch.getInputStream(), UTF_8).useDelimiter("#")) {
      while (versions.next().split("BEGIN CERTIFICATE", -1).length != 3) {
        // The next version is waited for.
      }
    } finally {
      watch.destroy();
    }
  }

  @Test
  void certificatesAreShownAndRenewed() throws Exception {
    try (BerthProcess berth = BerthProcess.up(data(), 0)) {
      assertThat(certs("show").out())
          .containsPattern("ca +- +\\d{4}-.*Z +36\\d\\dd +CN=berth-ca")
          .containsPattern("apiserver +- .* 36\\dd +CN=kube-apiserver")
          .containsPattern("admin +- .* 36\\dd +CN=kubernetes-admin,O=system:masters")
          .doesNotContain("Next");
      String before = Files.readString(berth.kubeconfig());
      String server = Files.readString(data().resolve("pki/apiserver.pem"));
      done("renew");
      Await.until("another kubeconfig", () -> !Files.readString(berth.kubeconfig()).equals(before));
      assertThat(Files.readString(data().resolve("pki/apiserver.pem"))).isNotEqualTo(server);
      assertThat(berth.said("get", "--raw", "/readyz")).isEqualTo("ok");
      assertThat(berth.said("get", "--raw", "/metrics"))
          .contains("berth_certificate_expiration_timestamp_seconds{name=\"ca\"}");

      done("rotate", "ca", "prepare");
      assertThat(certs("show").out())
          .containsPattern("ca +signs +")
          .containsPattern("ca +trusted only +")
          .contains("ca: a new key is trusted", "\"berth certs rotate ca switch\"");
      done("rotate", "ca", "cancel");
      assertThat(certs("show").out()).doesNotContain("trusted only");
    }
  }

  @Test
  void mistakesAreNamed() {
    assertRefused(ExitCode.FAILED, "There is no cluster's authority in", "show");
    assertRefused(ExitCode.FAILED, "is missing in", "renew");
    assertRefused(
        ExitCode.FAILED, "has this cluster ever been started?", "rotate", "ca", "prepare");
    assertRefused(ExitCode.USAGE, "needs a key (ca, service-account-key) and a step", "rotate");
    assertRefused(ExitCode.USAGE, "Unknown key \"cas\". Did you mean ca?", "rotate", "cas", "x");
    assertRefused(
        ExitCode.USAGE, "Unknown step \"swich\". Did you mean switch?", "rotate", "ca", "swich");
    assertRefused(ExitCode.USAGE, "Unknown verb \"shw\". Did you mean show?", "shw");
    assertRefused(ExitCode.USAGE, "Unknown certificate \"etcd\"", "renew", "etcd");
    assertRefused(ExitCode.USAGE, "does not take the argument \"all\"", "show", "all");
  }

  private void assertRefused(int status, String why, String... words) {
    MainTest.Ended ended = certs(words);
    assertThat(ended.err()).contains(why).hasLineCount(1);
    assertThat(ended.status()).isEqualTo(status);
  }
}
