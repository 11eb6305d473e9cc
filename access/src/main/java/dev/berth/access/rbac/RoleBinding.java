package dev.berth.access.rbac;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A role given to somebody, as one of its subjects sees it.
 *
 * @param name of the binding; its namespace is empty if the role is given everywhere
 * @param subject who gets it, as Kubernetes describes them
 */
record RoleBinding(ObjectName name, RoleRef role, String subject) {

  /** The role that is given. */
  record RoleRef(String kind, String name) {
    static RoleRef of(JsonObject binding) {
      JsonObject role = binding.object("roleRef");
      return new RoleRef(role.text("kind", ""), role.text("name", ""));
    }

    boolean isClusterRole() {
      return kind.equals("ClusterRole");
    }

    boolean isRole() {
      return kind.equals("Role");
    }
  }

  /** Bindings by whom they are for; see {@link #keys}. */
  static Map<String, List<RoleBinding>> bySubject(List<JsonObject> bindings) {
    Map<String, List<RoleBinding>> all = new TreeMap<>();
    for (JsonObject binding : bindings) {
      String namespace = Metadata.of(binding).namespace();
      for (JsonObject subject : binding.array("subjects").objects()) {
        String key = key(subject, namespace);
        if (!key.isEmpty()) {
          all.computeIfAbsent(key, _ -> new ArrayList<>())
              .add(
                  new RoleBinding(
                      ObjectName.of(binding), RoleRef.of(binding), describe(subject, namespace)));
        }
      }
    }
    return all;
  }

  /** What a user is found by: its name and each of its groups. */
  static List<String> keys(User user) {
    List<String> keys = new ArrayList<>(user.groups().size() + 1);
    keys.add(userKey(user.name()));
    user.groups().forEach(group -> keys.add(groupKey(group)));
    return keys;
  }

  private static String userKey(String name) {
    return "u" + name;
  }

  private static String groupKey(String name) {
    return "g" + name;
  }

  /** Empty for whoever can be nobody. */
  private static String key(JsonObject subject, String bindingNamespace) {
    String name = subject.text("name", "");
    return switch (subject.text("kind", "")) {
      case "User" -> userKey(name);
      case "Group" -> groupKey(name);
      case "ServiceAccount" -> {
        String namespace = subject.text("namespace", bindingNamespace);
        yield namespace.isEmpty()
            ? ""
            : userKey(ServiceAccountUsers.userName(new ObjectName(namespace, name)));
      }
      default -> "";
    };
  }

  private static String describe(JsonObject subject, String bindingNamespace) {
    String kind = subject.text("kind", "");
    String name = subject.text("name", "");
    return kind.equals("ServiceAccount")
        ? kind + " \"" + name + "/" + subject.text("namespace", bindingNamespace) + "\""
        : kind + " \"" + name + "\"";
  }

  @Override
  public String toString() {
    String begin =
        name.namespace().isEmpty()
            ? "ClusterRoleBinding \"" + name.name() + "\""
            : "RoleBinding \"" + name.name() + "/" + name.namespace() + "\"";
    return begin + " of " + role.kind() + " \"" + role.name() + "\" to " + subject;
  }
}
