package dev.berth.access.rbac;

import dev.berth.access.Action;
import dev.berth.access.Authorizer;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides by roles.
 *
 * <ol>
 *   <li>A user has the roles that bindings give to its name or to one of its groups.
 *   <li>A ClusterRoleBinding gives a role everywhere, a RoleBinding in its namespace.
 *   <li>A rule of such a role that fits allows it. Nothing forbids anything.
 *   <li>A binding of a role that is not there gives nothing; who is refused is told of it.
 * </ol>
 */
public final class Rbac implements Authorizer, AutoCloseable {
  private final RoleIndex index;

  /** What a user may do, and what could not be found out. */
  public record Rules(List<PolicyRule> rules, List<String> problems) {
    public Rules {
      rules = List.copyOf(rules);
      problems = List.copyOf(problems);
    }

    /** All problems in one text, empty if there are none. */
    public String problem() {
      return problems.size() == 1
          ? problems.getFirst()
          : problems.isEmpty() ? "" : "[" + String.join(", ", problems) + "]";
    }
  }

  public Rbac(Registry registry) {
    this.index = new RoleIndex(registry);
  }

  @Override
  public Decision authorize(User user, Action action) {
    String namespace = action instanceof Action.OnResource on ? on.namespace() : "";
    List<String> keys = RoleBinding.keys(user);
    RoleIndex.Part cluster = index.cluster();
    RoleBinding binding = allowing(keys, action, cluster, cluster);
    if (binding == null && !namespace.isEmpty()) {
      binding = allowing(keys, action, index.namespace(namespace), cluster);
    }
    if (binding != null) {
      return new Decision.Allowed("RBAC: allowed by " + binding);
    }
    String problem = rules(user, namespace).problem();
    return problem.isEmpty() ? Decision.NO_OPINION : new Decision.NoOpinion("RBAC: " + problem);
  }

  private static @Nullable RoleBinding allowing(
      List<String> keys, Action action, RoleIndex.Part part, RoleIndex.Part cluster) {
    for (String key : keys) {
      for (RoleBinding binding : part.bindings().getOrDefault(key, List.of())) {
        for (PolicyRule rule : find(binding.role(), part, cluster).orElse(List.of())) {
          if (rule.allows(action)) {
            return binding;
          }
        }
      }
    }
    return null;
  }

  private static Optional<List<PolicyRule>> find(
      RoleBinding.RoleRef role, RoleIndex.Part part, RoleIndex.Part cluster) {
    if (role.isClusterRole()) {
      return Optional.ofNullable(cluster.roles().get(role.name()));
    }
    return role.isRole() && !part.isWholeCluster()
        ? Optional.ofNullable(part.roles().get(role.name()))
        : Optional.empty();
  }

  /** All that a user may do in a namespace, which is empty for what it may do everywhere. */
  public Rules rules(User user, String namespace) {
    RoleIndex.Part cluster = index.cluster();
    List<PolicyRule> rules = new ArrayList<>();
    SequencedSet<String> problems = new LinkedHashSet<>();
    List<String> keys = RoleBinding.keys(user);
    collect(keys, cluster, cluster, rules, problems);
    if (!namespace.isEmpty()) {
      collect(keys, index.namespace(namespace), cluster, rules, problems);
    }
    return new Rules(rules, List.copyOf(problems));
  }

  private static void collect(
      List<String> keys,
      RoleIndex.Part part,
      RoleIndex.Part cluster,
      List<PolicyRule> rules,
      SequencedSet<String> problems) {
    SequencedSet<RoleBinding.RoleRef> roles = new LinkedHashSet<>();
    for (String key : keys) {
      part.bindings().getOrDefault(key, List.of()).forEach(binding -> roles.add(binding.role()));
    }
    for (RoleBinding.RoleRef role : roles) {
      find(role, part, cluster)
          .ifPresentOrElse(rules::addAll, () -> problems.add(problem(role, part.isWholeCluster())));
    }
  }

  private static String problem(RoleBinding.RoleRef role, boolean everywhere) {
    if (role.isClusterRole() || (role.isRole() && !everywhere)) {
      return notFound(role) + " \"" + role.name() + "\" not found";
    }
    return "unsupported role reference kind: \"" + role.kind() + "\"";
  }

  private static GroupResource notFound(RoleBinding.RoleRef role) {
    return new GroupResource(RoleIndex.GROUP, role.isRole() ? "role" : "clusterrole");
  }

  /** The rules of a role that a binding in a namespace, or in none, refers to. */
  Optional<List<PolicyRule>> rulesOf(RoleBinding.RoleRef role, String namespace) {
    RoleIndex.Part cluster = index.cluster();
    return find(role, namespace.isEmpty() ? cluster : index.namespace(namespace), cluster);
  }

  @Override
  public void close() {
    index.close();
  }
}
