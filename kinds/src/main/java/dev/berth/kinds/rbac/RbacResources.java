package dev.berth.kinds.rbac;

import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** The group rbac.authorization.k8s.io. */
public final class RbacResources {
  private static final String V1 = "v1";
  private static final String GROUP = "rbac.authorization.k8s.io";

  private static final Column ROLE =
      Column.text(
          "Role",
          "What is given.",
          binding -> {
            JsonObject role = binding.object("roleRef");
            return role.text("kind", "") + "/" + role.text("name", "");
          });

  private static final Column USERS = subjects("Users", "User");
  private static final Column GROUPS = subjects("Groups", "Group");
  private static final Column ACCOUNTS = subjects("ServiceAccounts", "ServiceAccount");

  private RbacResources() {}

  private static Column subjects(String name, String kind) {
    return Column.text(
            name,
            "Who is given it.",
            binding ->
                binding.array("subjects").objects().stream()
                    .filter(subject -> subject.text("kind", "").equals(kind))
                    .map(subject -> {
                      String namespace = subject.text("namespace", "");
                      return (namespace.isEmpty() ? "" : namespace + "/")
                          + subject.text("name", "");
                    })
                    .collect(Collectors.joining(", ")))
        .wide();
  }

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, V1, "ClusterRoleBinding")
            .names(NameRules::pathSegment)
            .createsOnUpdate()
            .columns(Column.NAME, ROLE, Column.AGE, USERS, GROUPS, ACCOUNTS)
            .rules(new RoleRefRules(true))
            .build(),
        Resource.clusterWide(GROUP, V1, "ClusterRole")
            .names(NameRules::pathSegment)
            .createsOnUpdate()
            .rules(new RoleRules(true))
            .columns(Column.NAME, Column.CREATED)
            .build(),
        Resource.namespaced(GROUP, V1, "RoleBinding")
            .names(NameRules::pathSegment)
            .createsOnUpdate()
            .columns(Column.NAME, ROLE, Column.AGE, USERS, GROUPS, ACCOUNTS)
            .rules(new RoleRefRules(false))
            .build(),
        Resource.namespaced(GROUP, V1, "Role")
            .names(NameRules::pathSegment)
            .createsOnUpdate()
            .rules(new RoleRules(false))
            .columns(Column.NAME, Column.CREATED)
            .build());
  }
}
