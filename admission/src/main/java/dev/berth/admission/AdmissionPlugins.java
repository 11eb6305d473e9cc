package dev.berth.admission;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.policy.MutatingAdmissionPolicy;
import dev.berth.admission.policy.ValidatingAdmissionPolicy;
import dev.berth.admission.quota.PendingCharges;
import dev.berth.admission.service.ServiceAllocation;
import dev.berth.admission.webhook.MutatingAdmissionWebhook;
import dev.berth.admission.webhook.ValidatingAdmissionWebhook;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupResource;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.policy.taint.DefaultTolerations;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.status.Failures;
import dev.berth.registry.webhook.WebhookClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The policies that there are, in upstream's order, and which of them are on.
 *
 * @param names those that are on
 * @param pending what quotas were charged with, shared with who counts them
 * @param tolerations those that pods get if they have none for node problems
 * @param configuration what a file says of single ones
 * @param services the addresses and node ports that services get
 */
public record AdmissionPlugins(
    Set<String> names,
    PendingCharges pending,
    DefaultTolerations tolerations,
    AdmissionConfiguration configuration,
    ServiceNetwork services) {

  /** A policy that can be turned on and off. */
  private record Known(
      String name, boolean onByDefault, Function<AdmissionPlugins.Source, AdmissionPlugin> make) {}

  /**
   * What policies need of the server that they are part of.
   *
   * @param audiences says which tokens nodes may ask for
   * @param webhooks reaches webhooks
   * @param authorizers tells expressions what users may do
   */
  public record Dependencies(
      Registry registry,
      AudienceAuthorizer audiences,
      WebhookClient webhooks,
      Metrics metrics,
      Authorizers authorizers) {

    /** A server that asks nobody outside, where nodes get tokens only as their pods name them. */
    public static Dependencies alone(Registry registry) {
      return new Dependencies(
          registry, (_, _, _) -> false, WebhookClient.NONE, new Metrics(), Authorizers.NOBODY);
    }
  }

  /** What policies are made from. */
  private record Source(
      Dependencies dependencies,
      PendingCharges pending,
      DefaultTolerations tolerations,
      AdmissionConfiguration configuration) {
    Registry registry() {
      return dependencies.registry();
    }

    NamespaceLabels namespaces() {
      ClusterReader cluster = new ClusterReader(registry());
      return name ->
          Metadata.of(
                  cluster
                      .namespace(name)
                      .orElseThrow(
                          () -> Failures.notFound(new GroupResource("", "namespaces"), name)))
              .labels();
    }
  }

  private static final List<Known> KNOWN =
      List.of(
          new Known("NamespaceLifecycle", true, s -> new NamespaceLifecycle(s.registry())),
          new Known(
              "LimitPodHardAntiAffinityTopology",
              false,
              _ -> new LimitPodHardAntiAffinityTopology()),
          new Known("LimitRanger", true, s -> new LimitRanger(s.registry())),
          new Known("ServiceAccount", true, s -> new ServiceAccount(s.registry())),
          // Off in upstream, where most who run nodes turn it on.
          new Known(
              "NodeRestriction",
              true,
              s -> new NodeRestriction(s.registry(), s.dependencies().audiences())),
          new Known("TaintNodesByCondition", true, _ -> new TaintNodesByCondition()),
          new Known("AlwaysPullImages", false, _ -> new AlwaysPullImages()),
          new Known(
              "PodSecurity",
              true,
              s -> new PodSecurity(s.registry(), s.configuration().podSecurity())),
          new Known(
              "PodNodeSelector",
              false,
              s -> new PodNodeSelector(s.registry(), s.configuration().nodeSelectors())),
          new Known("Priority", true, s -> new Priority(s.registry())),
          new Known(
              "DefaultTolerationSeconds", true, s -> new DefaultTolerationSeconds(s.tolerations())),
          new Known(
              "PodTolerationRestriction",
              false,
              s -> new PodTolerationRestriction(s.registry(), s.configuration().tolerations())),
          new Known("ExtendedResourceToleration", false, _ -> new ExtendedResourceToleration()),
          new Known("DefaultStorageClass", true, s -> new DefaultStorageClass(s.registry())),
          new Known("StorageObjectInUseProtection", true, _ -> new StorageObjectInUseProtection()),
          new Known(
              "OwnerReferencesPermissionEnforcement",
              false,
              s ->
                  new OwnerReferencesPermissionEnforcement(
                      s.registry(), s.dependencies().authorizers())),
          new Known(
              "PersistentVolumeClaimResize",
              true,
              s -> new PersistentVolumeClaimResize(s.registry())),
          new Known("RuntimeClass", true, s -> new RuntimeClass(s.registry())),
          new Known(
              "CertificateSubjectRestriction", true, _ -> new CertificateSubjectRestriction()),
          new Known("DefaultIngressClass", true, s -> new DefaultIngressClass(s.registry())),
          new Known("DenyServiceExternalIPs", false, _ -> new DenyServiceExternalIPs()),
          new Known("PodTopologyLabels", true, s -> new PodTopologyLabels(s.registry())),
          new Known(
              "NodeDeclaredFeatureValidator",
              true,
              s -> new NodeDeclaredFeatureValidator(s.registry())),
          new Known("PodResizeValidator", true, s -> new PodResizeValidator(s.registry())),
          new Known(
              "MutatingAdmissionPolicy",
              true,
              s ->
                  new MutatingAdmissionPolicy(
                      s.registry(),
                      s.namespaces(),
                      s.dependencies().authorizers(),
                      s.dependencies().metrics())),
          new Known(
              "MutatingAdmissionWebhook",
              true,
              s ->
                  new MutatingAdmissionWebhook(
                      s.registry(),
                      s.dependencies().webhooks().as("MutatingAdmissionWebhook"),
                      s.namespaces(),
                      s.dependencies().authorizers(),
                      s.dependencies().metrics())),
          new Known(
              "ValidatingAdmissionPolicy",
              true,
              s ->
                  new ValidatingAdmissionPolicy(
                      s.registry(),
                      s.namespaces(),
                      s.dependencies().authorizers(),
                      s.dependencies().metrics())),
          new Known(
              "ValidatingAdmissionWebhook",
              true,
              s ->
                  new ValidatingAdmissionWebhook(
                      s.registry(),
                      s.dependencies().webhooks().as("ValidatingAdmissionWebhook"),
                      s.namespaces(),
                      s.dependencies().authorizers(),
                      s.dependencies().metrics())),
          new Known(
              "ResourceQuota",
              true,
              s -> new ResourceQuota(s.registry(), s.pending(), s.configuration().quotas())));

  public AdmissionPlugins {
    names = Set.copyOf(names);
  }

  /** Those that are on unless somebody says otherwise. */
  public static AdmissionPlugins standard() {
    return choose(List.of(), List.of());
  }

  /**
   * The standard ones, and some more, and some fewer.
   *
   * @throws IllegalArgumentException if one is unknown, or both wanted and not
   */
  public static AdmissionPlugins choose(List<String> enabled, List<String> disabled) {
    check("--enable-admission-plugins", enabled);
    check("--disable-admission-plugins", disabled);
    Set<String> names = new TreeSet<>();
    KNOWN.stream().filter(Known::onByDefault).forEach(known -> names.add(known.name()));
    for (String name : enabled) {
      if (disabled.contains(name)) {
        throw new IllegalArgumentException(
            "The admission plugin " + name + " cannot be both enabled and disabled.");
      }
    }
    names.addAll(enabled);
    disabled.forEach(names::remove);
    return new AdmissionPlugins(
        names,
        new PendingCharges(),
        DefaultTolerations.FIVE_MINUTES,
        AdmissionConfiguration.NONE,
        ServiceNetwork.DEFAULT);
  }

  /** The same, with other tolerations of node problems for pods that have none. */
  public AdmissionPlugins with(DefaultTolerations other) {
    return new AdmissionPlugins(names, pending, other, configuration, services);
  }

  /** The same, with what a file says of them. */
  public AdmissionPlugins with(AdmissionConfiguration other) {
    return new AdmissionPlugins(names, pending, tolerations, other, services);
  }

  /** The same, with other addresses and node ports for services. */
  public AdmissionPlugins with(ServiceNetwork other) {
    return new AdmissionPlugins(names, pending, tolerations, configuration, other);
  }

  private static void check(String flag, List<String> names) {
    Set<String> known =
        KNOWN.stream().map(Known::name).collect(Collectors.toCollection(TreeSet::new));
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s: the admission plugin \"%s\" is unknown; there are %s."
                .formatted(flag, name, String.join(", ", known)));
      }
    }
  }

  /** The policies of a server that asks nobody outside. */
  public AdmissionChain chain(Registry registry) {
    return chain(Dependencies.alone(registry));
  }

  /** The policies; what every cluster needs whatever its policies comes first. */
  public AdmissionChain chain(Dependencies dependencies) {
    Source source = new Source(dependencies, pending, tolerations, configuration);
    Registry registry = dependencies.registry();
    List<AdmissionPlugin> plugins = new ArrayList<>();
    plugins.add(new RequesterIdentity());
    plugins.add(new CertificateConditionTimes(registry::now));
    plugins.add(new DeviceAdminAccess(registry));
    plugins.add(new ClaimStatusAuthorization(dependencies.authorizers()));
    ServiceAllocation allocation = new ServiceAllocation(registry, services);
    plugins.add(allocation);
    for (Known known : KNOWN) {
      if (names.contains(known.name())) {
        plugins.add(known.make().apply(source));
      }
    }
    plugins.add(allocation.claims());
    return new AdmissionChain(plugins);
  }
}
