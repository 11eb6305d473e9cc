package dev.berth.apiserver;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.access.CertificateAuthenticator;
import dev.berth.access.node.NodeAuthorizer;
import dev.berth.access.rbac.ClusterRoleAggregation;
import dev.berth.access.rbac.EscalationCheck;
import dev.berth.access.rbac.PolicyReconciliation;
import dev.berth.access.rbac.Rbac;
import dev.berth.access.review.Reviews;
import dev.berth.access.token.BootstrapTokens;
import dev.berth.access.token.LegacyTokens;
import dev.berth.access.token.OpenIdDocuments;
import dev.berth.access.token.ServiceAccountTokens;
import dev.berth.access.token.StaticTokens;
import dev.berth.access.token.TokenRequests;
import dev.berth.access.token.TokenVerifier;
import dev.berth.access.token.Tokens;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.User;
import dev.berth.pki.ClientCertificates;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.Registry;
import dev.berth.serving.rest.AccessEndpoints;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** All that decides who is let in and what they may do, put together. */
public final class ClusterAccess implements AutoCloseable {
  /** Half an hour to a year, as upstream. */
  private static final List<Double> REMAINING_SECONDS =
      List.of(
          0.0,
          1800.0,
          3600.0,
          7200.0,
          21600.0,
          43200.0,
          86400.0,
          172800.0,
          345600.0,
          604800.0,
          2592000.0,
          7776000.0,
          15552000.0,
          31104000.0);

  private final Registry registry;
  private final NodeAuthorizer nodes;
  private final Rbac rbac;
  private final AccessControl control;
  private final Optional<AccessEndpoints> endpoints;
  private final RemoteTokens remote;
  private @Nullable ClusterRoleAggregation aggregation;
  private Optional<CertificateAuthenticator> byCertificate = Optional.empty();
  private Optional<OpenIdDocuments> documents = Optional.empty();

  private ClusterAccess(
      Registry registry,
      NodeAuthorizer nodes,
      Rbac rbac,
      AccessControl control,
      Optional<AccessEndpoints> endpoints,
      RemoteTokens remote) {
    this.registry = registry;
    this.nodes = nodes;
    this.rbac = rbac;
    this.control = control;
    this.endpoints = endpoints;
    this.remote = remote;
  }

  /**
   * Puts it together.
   *
   * @param registry one without policies, which would have to ask back here
   */
  public static ClusterAccess open(
      Registry registry,
      ClientCertificates certificates,
      ServiceAccountKey key,
      AccessConfig config) {
    String issuer = config.issuer();
    List<TokenVerifier> verifiers = new ArrayList<>();
    if (config.tokenFile() != null) {
      verifiers.add(StaticTokens.read(config.tokenFile(), issuer));
    }
    // Before the older ones, which are rare: a token is read by each until one knows it.
    verifiers.add(new ServiceAccountTokens(registry, key, issuer));
    verifiers.add(new LegacyTokens(registry, key, issuer));
    verifiers.add(new BootstrapTokens(registry, issuer));
    RemoteTokens remote = new RemoteTokens(config, registry.time());
    verifiers.addAll(remote.verifiers());
    Tokens tokens = new Tokens(verifiers, issuer);
    NodeAuthorizer nodes = new NodeAuthorizer(registry);
    Rbac rbac = new Rbac(registry);
    CertificateAuthenticator byCertificate =
        new CertificateAuthenticator(certificates, registry.time());
    List<Authenticator> authenticators = new ArrayList<>();
    authenticators.add(byCertificate);
    authenticators.add(tokens);
    config.authentication().anonymous().ifPresent(authenticators::add);
    AccessControl control =
        new AccessControl(authenticators, List.of(new BuiltInAuthorizer(), nodes, rbac));
    OpenIdDocuments documents = new OpenIdDocuments(key, issuer);
    AccessEndpoints endpoints =
        new AccessEndpoints(
            registry,
            new Reviews(control, rbac, tokens),
            new TokenRequests(registry, key, issuer),
            documents);
    ClusterAccess access =
        new ClusterAccess(registry, nodes, rbac, control, Optional.of(endpoints), remote);
    access.byCertificate = Optional.of(byCertificate);
    access.documents = Optional.of(documents);
    return access;
  }

  /**
   * Without anybody from outside: no certificates, no tokens, and no reviews of them.
   *
   * @param registry one without policies, as above
   */
  public static ClusterAccess withoutOutsiders(Registry registry) {
    NodeAuthorizer nodes = new NodeAuthorizer(registry);
    Rbac rbac = new Rbac(registry);
    AccessControl control =
        new AccessControl(List.of(), List.of(new BuiltInAuthorizer(), nodes, rbac));
    return new ClusterAccess(
        registry,
        nodes,
        rbac,
        control,
        Optional.empty(),
        new RemoteTokens(AccessConfig.DEFAULT, registry.time()));
  }

  /**
   * Makes the roles that every cluster has, and begins to keep those that gather others.
   *
   * @param writers run the writes, at once or one after the other
   */
  public void begin(Executor writers) {
    PolicyReconciliation.run(registry, writers);
    aggregation = new ClusterRoleAggregation(registry);
  }

  /** Counts for how long the certificates of clients are still good. */
  void count(Metrics metrics) {
    byCertificate.ifPresent(authenticator -> {
      Histogram histogram =
          metrics
              .histograms(
                  "apiserver_client_certificate_expiration_seconds",
                  "Distribution of the remaining lifetime on the certificate used to authenticate a"
                      + " request.",
                  REMAINING_SECONDS)
              .with();
      authenticator.observe(histogram::observe);
    });
  }

  /** Others find the keys of service accounts' tokens at this address of the server. */
  void advertise(URI server) {
    documents.ifPresent(each -> each.advertise(server));
  }

  public AccessControl control() {
    return control;
  }

  /** The answers to questions of access, where there are any. */
  public Optional<AccessEndpoints> endpoints() {
    return endpoints;
  }

  /** The policy that nobody gives away what they do not have. */
  public EscalationCheck escalationCheck() {
    return new EscalationCheck(rbac, control);
  }

  /**
   * Whether a user may have a token of an account for an audience that no pod of theirs names.
   * Roles write the audience where otherwise the resource is.
   */
  boolean mayRequestToken(User user, String audience, ObjectName account) {
    return control.allows(
        user,
        new Action.OnResource(
            "request-serviceaccounts-token-audience",
            new GroupResource("", audience),
            account.namespace(),
            account.name(),
            ""));
  }

  @Override
  public void close() {
    if (aggregation != null) {
      aggregation.close();
    }
    remote.close();
    rbac.close();
    nodes.close();
  }
}
