package dev.berth.serving.audit;

import dev.berth.access.Action;
import dev.berth.model.user.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of an audit policy. A request matches if it fits all that the rule says; of what the rule
 * says nothing, everything fits.
 *
 * @param resources objects; with namespaces too, an object has to fit both
 * @param nonResourceUrls paths that are no resource's; never together with the former
 */
record AuditRule(
    AuditDecision decision,
    List<String> users,
    List<String> userGroups,
    List<String> verbs,
    List<Resources> resources,
    List<String> namespaces,
    List<String> nonResourceUrls) {
  private static final String ANY = "*";

  AuditRule {
    users = List.copyOf(users);
    userGroups = List.copyOf(userGroups);
    verbs = List.copyOf(verbs);
    resources = List.copyOf(resources);
    namespaces = List.copyOf(namespaces);
    nonResourceUrls = List.copyOf(nonResourceUrls);
  }

  /** Resources of one group or of all of them, and perhaps only objects of some names. */
  record Resources(String group, List<String> resources, List<String> resourceNames) {
    Resources {
      resources = List.copyOf(resources);
      resourceNames = List.copyOf(resourceNames);
    }

    boolean matches(Action.OnResource action) {
      if (!group.equals(ANY) && !group.equals(action.resource().group())) {
        return false;
      }
      if (resources.isEmpty()) {
        return true;
      }
      return (resourceNames.isEmpty() || resourceNames.contains(action.name()))
          && resources.stream().anyMatch(pattern -> matches(pattern, action));
    }

    /** {@code pods}, {@code pods/log}, {@code pods/*}, {@code *}{@code /scale} or {@code *}. */
    private static boolean matches(String pattern, Action.OnResource action) {
      String subresource = action.subresource();
      return pattern.equals(ANY)
          || pattern.equals(action.path())
          || (!subresource.isEmpty() && pattern.equals("*/" + subresource))
          || pattern.equals(action.resource().resource() + "/*");
    }
  }

  /**
   * Whether the rule is about a request.
   *
   * @param user who sent it; null if nobody knows
   */
  boolean matches(@Nullable User user, Action action) {
    return matchesUser(user)
        && (verbs.isEmpty() || verbs.contains(action.verb()))
        && switch (action) {
          case Action.OnResource on -> matchesResource(on);
          case Action.OnPath(String _, String path) -> matchesPath(path);
        };
  }

  private boolean matchesUser(@Nullable User user) {
    return (users.isEmpty() || (user != null && users.contains(user.name())))
        && (userGroups.isEmpty()
            || (user != null && user.groups().stream().anyMatch(userGroups::contains)));
  }

  private boolean matchesResource(Action.OnResource action) {
    return nonResourceUrls.isEmpty()
        && (namespaces.isEmpty() || namespaces.contains(action.namespace()))
        && (resources.isEmpty() || resources.stream().anyMatch(each -> each.matches(action)));
  }

  private boolean matchesPath(String path) {
    return resources.isEmpty()
        && namespaces.isEmpty()
        && (nonResourceUrls.isEmpty()
            || nonResourceUrls.stream().anyMatch(pattern -> matches(pattern, path)));
  }

  private static boolean matches(String pattern, String path) {
    return pattern.equals(path)
        || (pattern.endsWith(ANY)
            && path.startsWith(pattern.substring(0, pattern.length() - ANY.length())));
  }
}
