package dev.berth.cli;

import static dev.berth.client.Resources.CERTIFICATE_SIGNING_REQUESTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.TokenSource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.DetachedSignature;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequestFixture;
import dev.berth.time.WallTime;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine that has nothing but a bootstrap token and the address of a cluster becomes a node, by
 * the steps that kubelets and kubeadm take, over HTTPS.
 */
class JoinTest {
  private static final String ID = "abcdef";
  private static final String SECRET = "0123456789abcdef";
  private static final ObjectName INFO = new ObjectName("kube-public", "cluster-info");

  @TempDir Path folder;

  private final WallTime time =
      new WallTime(failure -> {
        throw new AssertionError(failure.toString(), failure.cause());
      });
  private final Deque<HttpApi> open = new ArrayDeque<>();

  @AfterEach
  void close() {
    open.forEach(HttpApi::close);
    time.close();
  }

  private Api connect(URI server, Trust trust, Identity identity) {
    HttpApi api = new HttpApi(new Connection(server, trust, identity, "default"), time, "kubelet");
    open.add(api);
    return api;
  }

  private static JsonObject tree(String json) {
    return JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject done(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  private static int code(ApiResult result) {
    return ((ApiResult.Refused) result).error().code();
  }

  /** The first value of a field that is not empty, as kubectl watches it. */
  private static String await(BerthProcess berth, String path, String... what) throws IOException {
    List<String> words = new ArrayList<>(List.of("get"));
    words.addAll(List.of(what));
    words.addAll(List.of("-w", "-o", "jsonpath={%s}{\"\\n\"}".formatted(path)));
    Process watch = berth.kubectl(words.toArray(String[]::new));
    try (BufferedReader lines = watch.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          return line.strip();
        }
      }
      throw new AssertionError("kubectl stopped watching " + String.join(" ", what));
    } finally {
      watch.destroy();
    }
  }

  private static X509Certificate certificate(byte[] pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
  }

  private static X509Certificate signed(BerthProcess berth, String request) throws Exception {
    String pem = await(berth, ".status.certificate", "csr", request);
    return certificate(Base64.getDecoder().decode(pem));
  }

  private static JsonObject request(
      String name, String signer, KeyPair key, RequestedNames names, String purpose) {
    return new JsonObject.Builder()
        .put("metadata", JsonObject.of("name", name))
        .put(
            "spec",
            new JsonObject.Builder()
                .put("request", SigningRequestFixture.base64(key, names))
                .put("signerName", "kubernetes.io/" + signer)
                .put("usages", JsonArray.of("digital signature", purpose))
                .build())
        .build();
  }

  private static JsonObject client(String name, KeyPair key, String node) {
    return request(
        name,
        "kube-apiserver-client-kubelet",
        key,
        SigningRequestFixture.names("system:node:" + node, "system:nodes"),
        "client auth");
  }

  private static JsonObject serving(String name, KeyPair key, String address) {
    return request(
        name,
        "kubelet-serving",
        key,
        new RequestedNames(
            "system:node:n1",
            List.of("system:nodes"),
            List.of("n1"),
            List.of(address),
            List.of(),
            List.of()),
        "server auth");
  }

  private static String field(String text, String name) {
    Matcher found = Pattern.compile(name + ": (\\S+)").matcher(text);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private void makeToken(BerthProcess berth) throws IOException {
    Path token = folder.resolve("token.yaml");
    Files.writeString(
        token,
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: bootstrap-token-%s, namespace: kube-system}
        type: bootstrap.kubernetes.io/token
        stringData:
          token-id: %s
          token-secret: %s
          usage-bootstrap-authentication: "true"
          usage-bootstrap-signing: "true"
        """
            .formatted(ID, ID, SECRET));
    assertThat(berth.said("create", "-f", token.toString())).contains("created");
  }

  @Test
  void aMachineWithATokenBecomesANode() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0)) {
      makeToken(berth);
      String signature =
          await(
              berth,
              ".data.jws-kubeconfig-" + ID,
              "configmap",
              "-n",
              INFO.namespace(),
              INFO.name());

      // Anybody reads where the cluster is, trusting nobody yet, and nothing else.
      Api anonymous =
          connect(
              URI.create("https://127.0.0.1:" + berth.port()),
              new Trust.Anything(),
              new Identity.Anonymous());
      JsonObject info = done(anonymous.get(Resources.CONFIG_MAPS, INFO)).object("data");
      assertThat(
              code(
                  anonymous.get(
                      Resources.CONFIG_MAPS, new ObjectName("kube-public", "kube-root-ca.crt"))))
          .isEqualTo(403);

      // The token proves that it is genuine.
      String kubeconfig = info.text("kubeconfig", "");
      assertThat(info.text("jws-kubeconfig-" + ID))
          .isEqualTo(signature)
          .isEqualTo(DetachedSignature.of(kubeconfig, ID, SECRET));
      URI server = URI.create(field(kubeconfig, "server"));
      assertThat(server.getPort()).isEqualTo(berth.port());
      X509Certificate authority =
          certificate(Base64.getDecoder().decode(field(kubeconfig, "certificate-authority-data")));
      Trust trust = new Trust.Authorities(List.of(authority), Optional.empty());

      // The token asks for a node's certificate; it is approved and signed.
      Api joining =
          connect(server, trust, new Identity.Token(TokenSource.fixed(ID + "." + SECRET)));
      KeyPair key = SigningRequestFixture.key();
      done(joining.create(CERTIFICATE_SIGNING_REQUESTS, client("join", key, "n1")));
      X509Certificate own = signed(berth, "join");
      assertThat(own.getPublicKey()).isEqualTo(key.getPublic());
      JsonObject joined = done(joining.get(CERTIFICATE_SIGNING_REQUESTS, ObjectName.of("join")));
      assertThat(joined.object("spec").text("username")).isEqualTo("system:bootstrap:" + ID);
      assertThat(message(joined))
          .isEqualTo("Auto approving kubelet client certificate after SubjectAccessReview.");
      assertThat(berth.said("get", "csr", "join")).contains("Approved,Issued");

      // With it the machine is the node: it registers, and says which addresses it has.
      Api node = connect(server, trust, new Identity.Certificate(List.of(own), key.getPrivate()));
      done(node.create(Resources.NODES, tree("{'metadata':{'name':'n1'}}")));
      done(
          node.patch(
              Target.of(Resources.NODES, ObjectName.of("n1")).subresource("status"),
              PatchType.MERGE,
              tree(
                  "{'status':{'addresses':[{'type':'Hostname','address':'n1'},{'type':'InternalIP','address':'192.0.2.1'}]}}")));

      // It gets a certificate to serve with, for these addresses and no others.
      KeyPair servingKey = SigningRequestFixture.key();
      done(node.create(CERTIFICATE_SIGNING_REQUESTS, serving("foreign", servingKey, "192.0.2.99")));
      done(node.create(CERTIFICATE_SIGNING_REQUESTS, serving("serve", servingKey, "192.0.2.1")));
      X509Certificate serves = signed(berth, "serve");
      serves.verify(authority.getPublicKey());
      assertThat(serves.getSubjectAlternativeNames())
          .containsExactlyInAnyOrder(List.of(2, "n1"), List.of(7, "192.0.2.1"));
      assertThat(berth.said("get", "csr", "foreign")).contains("Pending");

      // Another node's name is not for it, nor for a token that is not a node's.
      ApiResult another = node.create(CERTIFICATE_SIGNING_REQUESTS, client("another", key, "n2"));
      assertThat(code(another)).isEqualTo(403);
      done(joining.create(CERTIFICATE_SIGNING_REQUESTS, serving("stranger", key, "192.0.2.1")));

      // It renews its own certificate, and goes on with the new one.
      KeyPair newKey = SigningRequestFixture.key();
      done(node.create(CERTIFICATE_SIGNING_REQUESTS, client("renew", newKey, "n1")));
      X509Certificate renewed = signed(berth, "renew");
      assertThat(message(done(node.get(CERTIFICATE_SIGNING_REQUESTS, ObjectName.of("renew")))))
          .isEqualTo("Auto approving self kubelet client certificate after SubjectAccessReview.");
      Api after =
          connect(server, trust, new Identity.Certificate(List.of(renewed), newKey.getPrivate()));
      done(after.get(Resources.NODES, ObjectName.of("n1")));
      assertThat(berth.said("get", "csr", "stranger")).contains("Pending");
    }
  }

  private static String message(JsonObject request) {
    return Conditions.find(request.object("status").array("conditions"), "Approved")
        .orElseThrow()
        .text("message", "");
  }
}
