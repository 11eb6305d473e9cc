package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.security.PodSecurityView;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeMemo;
import dev.berth.policy.podsecurity.LevelVersion;
import dev.berth.policy.podsecurity.NamespaceSecurity;
import dev.berth.policy.podsecurity.PodSecurityStandards;
import dev.berth.policy.podsecurity.SecurityLevel;
import dev.berth.policy.podsecurity.Violation;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Pods keep to the Pod Security Standard that their namespace's labels demand.
 *
 * <ol>
 *   <li>A pod is refused for what is enforced when it is created, and when an image of it changes
 *       or a container comes. Who writes it is warned, and the audit log told, as the labels say.
 *   <li>What makes pods from a template is never refused, but warned of and recorded.
 *   <li>A namespace with labels that cannot be read is refused; who makes one stricter is warned of
 *       the pods that violate it by now.
 * </ol>
 *
 * <p>What unlabelled namespaces demand, and who is exempt, is configured; where nothing is, they
 * are privileged, and nobody is.
 */
public final class PodSecurity implements AdmissionPlugin {
  private static final Set<String> WITH_TEMPLATE =
      Set.of(
          "replicationcontrollers",
          "podtemplates",
          "replicasets.apps",
          "deployments.apps",
          "statefulsets.apps",
          "daemonsets.apps",
          "jobs.batch",
          "cronjobs.batch");

  /** What of a pod is written without a change of what it asks for. */
  private static final Set<String> HARMLESS =
      Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

  private final ClusterReader cluster;
  private final ExistingPods existing;
  private final PodSecuritySettings settings;

  /** What labels of namespaces demand. */
  private final TreeMemo<NamespaceSecurity> demanded;

  PodSecurity(Registry registry, PodSecuritySettings settings) {
    this.cluster = new ClusterReader(registry);
    this.settings = settings;
    this.existing = new ExistingPods(cluster);
    this.demanded = new TreeMemo<>(labels -> settings.defaults().with(labels.toStrings()));
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (request.deletes()) {
      return;
    }
    String resource = request.resource().groupResource().toString();
    if (resource.equals("pods")) {
      if (!HARMLESS.contains(request.subresource())) {
        checkPod(request);
      }
    } else if (request.subresource().isEmpty()) {
      if (resource.equals("namespaces")) {
        checkNamespace(request);
      } else if (WITH_TEMPLATE.contains(resource)) {
        checkTemplate(request);
      }
    }
  }

  private NamespaceSecurity security(AdmissionRequest request) {
    String namespace = request.name().namespace();
    return cluster
        .namespace(namespace)
        .map(found -> demanded.of(Metadata.of(found).labels()))
        .orElseThrow(
            () -> Failures.internal("failed to lookup namespace \"%s\"".formatted(namespace)));
  }

  /** Whether nobody minds who asks, and where; why is recorded. */
  private boolean isExempt(AdmissionRequest request) {
    String why =
        settings.namespaces().contains(request.name().namespace())
            ? "namespace"
            : settings.usernames().contains(request.user().name()) ? "user" : "";
    if (!why.isEmpty()) {
      annotate(request, "exempt", why);
    }
    return !why.isEmpty();
  }

  /** The same for what the pod is to be run by. */
  private boolean isExempt(AdmissionRequest request, JsonObject pod) {
    String runtime = pod.object("spec").text("runtimeClassName", "");
    boolean exempt = settings.runtimeClasses().contains(runtime);
    if (exempt) {
      annotate(request, "exempt", "runtimeClass");
    }
    return exempt;
  }

  private void checkPod(AdmissionRequest request) {
    if (isExempt(request)) {
      return;
    }
    NamespaceSecurity security = security(request);
    if (security.isFullyPrivileged()) {
      annotate(request, "enforce-policy", security.enforce().toString());
      return;
    }
    if (!request.creates() && !PodChange.isSignificant(request.old(), request.object())) {
      return;
    }
    if (isExempt(request, request.object())) {
      return;
    }
    PodSecurityView pod = PodSecurityView.read(request.object());
    notePolicyProblems(request, security);
    annotate(request, "enforce-policy", security.enforce().toString());
    audit(request, security, pod);
    List<Violation> violations = PodSecurityStandards.violations(security.enforce(), pod);
    if (!violations.isEmpty()) {
      throw ClusterReader.forbidden(request, describe("violates", security.enforce(), violations));
    }
    warn(request, security, pod);
  }

  private void checkTemplate(AdmissionRequest request) {
    Optional<JsonObject> template = template(request);
    if (template.isEmpty() || isExempt(request) || isExempt(request, template.get())) {
      return;
    }
    NamespaceSecurity security = security(request);
    if (security.isWatched()) {
      PodSecurityView pod = PodSecurityView.read(template.get());
      notePolicyProblems(request, security);
      audit(request, security, pod);
      warn(request, security, pod);
    }
  }

  private static Optional<JsonObject> template(AdmissionRequest request) {
    JsonObject object = request.object();
    JsonObject holder =
        switch (request.resource().plural()) {
          case "podtemplates" -> object;
          case "cronjobs" -> object.object("spec").object("jobTemplate").object("spec");
          default -> object.object("spec");
        };
    return holder.has("template") ? Optional.of(holder.object("template")) : Optional.empty();
  }

  private static void notePolicyProblems(AdmissionRequest request, NamespaceSecurity security) {
    if (!security.problems().isEmpty()) {
      annotate(request, "error", "Failed to parse policy: " + security.problemText());
    }
  }

  private static void audit(
      AdmissionRequest request, NamespaceSecurity security, PodSecurityView pod) {
    List<Violation> violations = PodSecurityStandards.violations(security.audit(), pod);
    if (!violations.isEmpty()) {
      annotate(
          request, "audit-violations", describe("would violate", security.audit(), violations));
    }
  }

  private static void warn(
      AdmissionRequest request, NamespaceSecurity security, PodSecurityView pod) {
    List<Violation> violations = PodSecurityStandards.violations(security.warn(), pod);
    if (!violations.isEmpty()) {
      request.notices().warn(describe("would violate", security.warn(), violations));
    }
  }

  private static String describe(String verb, LevelVersion standard, List<Violation> violations) {
    return "%s PodSecurity \"%s\": %s".formatted(verb, standard, Violation.details(violations));
  }

  private static void annotate(AdmissionRequest request, String key, String value) {
    request.notices().annotate(WellKnownLabels.POD_SECURITY_PREFIX + key, value);
  }

  private void checkNamespace(AdmissionRequest request) {
    NamespaceSecurity security =
        settings.defaults().with(Metadata.of(request.object()).labels().toStrings());
    NamespaceSecurity before =
        settings.defaults().with(Metadata.of(request.old()).labels().toStrings());
    if (!security.problems().isEmpty() && !security.problems().equals(before.problems())) {
      throw Failures.invalid(
          request.resource().groupKind(), request.name().name(), security.problems());
    }
    LevelVersion now = security.enforce();
    LevelVersion then = before.enforce();
    boolean relaxed = now.minor() == then.minor() && now.level().compareTo(then.level()) <= 0;
    if (settings.namespaces().contains(request.name().name())) {
      return;
    }
    if (!request.creates() && now.level() != SecurityLevel.PRIVILEGED && !relaxed) {
      existing.warnings(request.name().name(), now).forEach(request.notices()::warn);
    }
  }
}
