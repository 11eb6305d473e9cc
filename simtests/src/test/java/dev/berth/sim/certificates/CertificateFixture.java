package dev.berth.sim.certificates;

import static dev.berth.client.Resources.CERTIFICATE_SIGNING_REQUESTS;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.certificates.CertificateApprovingController;
import dev.berth.controllers.certificates.CertificateCleaner;
import dev.berth.controllers.certificates.CertificateSigningController;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequestFixture;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A cluster with the controllers of certificate signing requests. The server in it answers no
 * reviews: the test says who has which permission.
 */
final class CertificateFixture implements AutoCloseable {
  static final String APPROVING = "approving";
  static final String SIGNING = "signing";
  static final String CLEANER = "cleaner";

  final VirtualCluster cluster;
  final ClusterCa authority;

  /** Each {@code subresource of user}. */
  final Set<String> permissions = new HashSet<>();

  /** What was asked. */
  int reviews;

  CertificateFixture(VirtualCluster cluster) {
    this.cluster = cluster;
    this.authority = ClusterCa.inMemory(cluster.time().now());
  }

  /** One whose controllers run. */
  static CertificateFixture start() {
    CertificateFixture fixture = new CertificateFixture(new VirtualCluster(1));
    fixture.run(fixture::parts);
    return fixture;
  }

  /** Runs the controllers. */
  void run(Supplier<ControllerParts> parts) {
    SigningSettings settings = SigningSettings.all(authority, SigningSettings.ONE_YEAR);
    cluster.run(APPROVING, () -> CertificateApprovingController.start(parts.get()));
    cluster.run(SIGNING, () -> CertificateSigningController.start(parts.get(), settings));
    cluster.run(CLEANER, () -> CertificateCleaner.start(parts.get()));
  }

  private ControllerParts parts() {
    ControllerParts own = cluster.parts(CertificateApprovingController.ACCOUNT);
    return new ControllerParts(
        withReviews(own.api()), cluster.time(), new Metrics(), own.warnings());
  }

  /** A server that answers reviews. */
  Api withReviews(Api server) {
    return new InterceptedApi(server, this::answer);
  }

  private ApiResult answer(ApiRequest request, Api real) {
    if (request instanceof ApiRequest.Create(Target target, JsonObject review)
        && target.resource().equals(Resources.SUBJECT_ACCESS_REVIEWS)) {
      reviews++;
      JsonObject asked = review.object("spec");
      boolean allowed =
          permissions.contains(
              "%s of %s"
                  .formatted(
                      asked.object("resourceAttributes").text("subresource", ""),
                      asked.text("user", "")));
      return new ApiResult.Done(review.with("status", JsonObject.of("allowed", allowed)));
    }
    return real.send(request);
  }

  static RequestedNames node(String name) {
    return SigningRequestFixture.names("system:node:" + name, "system:nodes");
  }

  static RequestedNames server(String node, List<String> dns, List<String> addresses) {
    return new RequestedNames(
        "system:node:" + node, List.of("system:nodes"), dns, addresses, List.of(), List.of());
  }

  /** Somebody asks for a certificate. */
  void ask(String name, String user, String signer, RequestedNames wanted, String... usages) {
    JsonObject request =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", name))
            .put(
                "spec",
                new JsonObject.Builder()
                    .put(
                        "request",
                        SigningRequestFixture.base64(SigningRequestFixture.key(), wanted))
                    .put("signerName", "kubernetes.io/" + signer)
                    .put("usages", JsonArray.copyOf(List.of(usages)))
                    .build())
            .build();
    String group = NodeUsers.nodeName(user).isPresent() ? NodeUsers.GROUP : User.MASTERS;
    ApiResult made =
        cluster
            .api(User.authenticated(user, List.of(group)), "test")
            .create(CERTIFICATE_SIGNING_REQUESTS, request);
    if (made instanceof ApiResult.Failure why) {
      throw new AssertionError(why.message());
    }
    cluster.settle();
  }

  /** Somebody decides by hand. */
  void decide(String name, String type) {
    Target approval =
        Target.of(CERTIFICATE_SIGNING_REQUESTS, ObjectName.of(name)).subresource("approval");
    ApiResult decided =
        cluster
            .admin()
            .patch(
                approval,
                PatchType.MERGE,
                VirtualCluster.tree(
                    "{'status':{'conditions':[{'type':'%s','status':'True','reason':'ByHand','lastUpdateTime':'%s'}]}}"
                        .formatted(type, cluster.time().now())));
    if (decided instanceof ApiResult.Failure why) {
      throw new AssertionError(why.message());
    }
    cluster.settle();
  }

  void advance(Duration duration) {
    cluster.advance(duration);
  }

  Optional<JsonObject> find(String name) {
    return cluster.admin().get(CERTIFICATE_SIGNING_REQUESTS, ObjectName.of(name))
            instanceof ApiResult.Done(JsonObject found)
        ? Optional.of(found)
        : Optional.empty();
  }

  /** {@code Reason: message} of a condition; empty if it is not there. */
  String condition(String name, String type) {
    return Conditions.find(find(name).orElseThrow().object("status").array("conditions"), type)
        .map(c -> c.text("reason", "") + ": " + c.text("message", ""))
        .orElse("");
  }

  Optional<X509Certificate> certificate(String name) {
    String base64 = find(name).orElseThrow().object("status").text("certificate", "");
    if (base64.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(Base64.getDecoder().decode(base64))));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
