package dev.berth.access.rbac;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Nobody gives away what they do not have.
 *
 * <ol>
 *   <li>Who writes a role holds all that it permits, or has the verb {@code escalate} on it.
 *   <li>Who writes a role that gathers the rules of others, whichever these will be, may do
 *       everything.
 *   <li>Who writes a binding holds all that its role permits, or has the verb {@code bind} on the
 *       role.
 *   <li>The administrator, and who only lets the collector do its work, are not asked.
 * </ol>
 */
public final class EscalationCheck implements AdmissionPlugin {
  private static final List<PolicyRule> EVERYTHING =
      List.of(
          new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          PolicyRule.onPaths(List.of("*"), List.of("*")));

  private final Rbac rbac;
  private final AccessControl access;

  /**
   * @param access says who has the verbs {@code escalate} and {@code bind}
   */
  public EscalationCheck(Rbac rbac, AccessControl access) {
    this.rbac = rbac;
    this.access = access;
  }

  /**
   * What a binding gives is looked up before it is validated, and what cannot be looked up is
   * upstream's own failure to it.
   */
  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (isChecked(request) && request.resource().plural().endsWith("rolebindings")) {
      RoleBinding.RoleRef role = RoleBinding.RoleRef.of(request.object());
      if (!role.isRole() && !role.isClusterRole()) {
        String why = "unsupported role reference kind: \"" + role.kind() + "\"";
        throw Failures.unknown(why);
      }
    }
    return request.object();
  }

  /** Whether it is about who may do what, and neither a superuser's nor the collector's. */
  private static boolean isChecked(AdmissionRequest request) {
    return request.resource().kind().group().equals(RoleIndex.GROUP)
        && request.operation() != Operation.DELETE
        && !request.user().groups().contains(User.MASTERS)
        && !onlyCollects(request.object(), request.old());
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!isChecked(request)) {
      return;
    }
    switch (request.resource().plural()) {
      case "roles", "clusterroles" -> checkRole(request);
      case "rolebindings", "clusterrolebindings" -> checkBinding(request);
      default -> {}
    }
  }

  /** Whether nothing differs but what the collector writes: owners and finalizers. */
  private static boolean onlyCollects(JsonObject object, JsonObject old) {
    return !old.isEmpty() && withoutCollecting(object).equals(withoutCollecting(old));
  }

  private static JsonObject withoutCollecting(JsonObject object) {
    return object.with(
        "metadata",
        object
            .object("metadata")
            .without("ownerReferences")
            .without("finalizers")
            .without("managedFields")
            .without("resourceVersion"));
  }

  private void checkRole(AdmissionRequest request) {
    GroupResource roles = request.resource().groupResource();
    String name = request.operation() == Operation.CREATE ? "" : request.name().name();
    String namespace = request.name().namespace();
    if (access.allows(
        request.user(), new Action.OnResource("escalate", roles, namespace, name, ""))) {
      return;
    }
    checkHeld(request, PolicyRule.ofRole(request.object()));
    boolean gathers =
        request.object().has("aggregationRule") || request.old().has("aggregationRule");
    if (gathers && !RuleCoverage.missing(held(request).rules(), EVERYTHING).isEmpty()) {
      throw forbidden(request, "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  private void checkBinding(AdmissionRequest request) {
    RoleBinding.RoleRef role = RoleBinding.RoleRef.of(request.object());
    String namespace = request.name().namespace();
    GroupResource roles =
        new GroupResource(RoleIndex.GROUP, role.isRole() ? "roles" : "clusterroles");
    if (access.allows(
        request.user(), new Action.OnResource("bind", roles, namespace, role.name(), ""))) {
      return;
    }
    Optional<List<PolicyRule>> rules = rbac.rulesOf(role, namespace);
    checkHeld(request, rules.orElseThrow(() -> Failures.notFound(roles, role.name())));
  }

  private Rbac.Rules held(AdmissionRequest request) {
    return rbac.rules(request.user(), request.name().namespace());
  }

  private void checkHeld(AdmissionRequest request, List<PolicyRule> wanted) {
    Rbac.Rules held = held(request);
    List<PolicyRule> missing = RuleCoverage.missing(held.rules(), wanted);
    if (missing.isEmpty()) {
      return;
    }
    TreeSet<String> described = new TreeSet<>();
    RuleCoverage.compact(missing).forEach(rule -> described.add(rule.toString()));
    User user = request.user();
    String problem =
        held.problems().isEmpty() ? "" : "; resolution errors: [" + held.problem() + "]";
    throw forbidden(
        request,
        "user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s%s"
            .formatted(
                user.name(),
                PolicyRule.quoted(user.groups()),
                String.join("\n", described),
                problem));
  }

  private static StatusException forbidden(AdmissionRequest request, String why) {
    return Failures.forbidden(request.resource().groupResource(), request.name().name(), why);
  }
}
