package dev.berth.serving.flowcontrol;

import dev.berth.access.Action;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import java.util.List;

/**
 * One rule of a flow schema: it matches a request if one of its subjects sends it and one of its
 * resource rules, or of its other rules for what is no resource, fits.
 */
record FlowSchemaRule(
    List<Subject> subjects, List<ResourceRule> resourceRules, List<PathRule> pathRules) {
  private static final String ALL = "*";
  private static final String ACCOUNT = "system:serviceaccount:";

  static FlowSchemaRule read(JsonObject rule) {
    return new FlowSchemaRule(
        rule.array("subjects").objects().stream().map(Subject::read).toList(),
        rule.array("resourceRules").objects().stream().map(ResourceRule::read).toList(),
        rule.array("nonResourceRules").objects().stream().map(PathRule::read).toList());
  }

  boolean matches(User user, Action action) {
    boolean sent = false;
    for (Subject subject : subjects) {
      sent = sent || subject.matches(user);
    }
    return sent
        && switch (action) {
          case Action.OnResource on -> matches(on);
          case Action.OnPath on -> matches(on);
        };
  }

  private boolean matches(Action.OnResource on) {
    for (ResourceRule rule : resourceRules) {
      if (rule.matches(on)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(Action.OnPath on) {
    for (PathRule rule : pathRules) {
      if (rule.matches(on)) {
        return true;
      }
    }
    return false;
  }

  /** A wildcard stands alone. */
  private static boolean has(List<String> values, String value) {
    return (values.size() == 1 && values.getFirst().equals(ALL)) || values.contains(value);
  }

  /** Who sends requests: a user, a group, or a service account, also all of a namespace. */
  sealed interface Subject {
    boolean matches(User user);

    record Named(String name) implements Subject {
      @Override
      public boolean matches(User user) {
        return name.equals(ALL) || name.equals(user.name());
      }
    }

    record Group(String name) implements Subject {
      @Override
      public boolean matches(User user) {
        return name.equals(ALL) || user.groups().contains(name);
      }
    }

    /** Accounts whose user name begins so, or is that. */
    record Account(String prefix, boolean all) implements Subject {
      @Override
      public boolean matches(User user) {
        return all ? user.name().startsWith(prefix) : user.name().equals(prefix);
      }
    }

    static Subject read(JsonObject subject) {
      JsonObject account = subject.object("serviceAccount");
      String name = account.text("name", "");
      String namespace = ACCOUNT + account.text("namespace", "") + ":";
      return switch (subject.text("kind", "")) {
        case "User" -> new Named(subject.object("user").text("name", ""));
        case "Group" -> new Group(subject.object("group").text("name", ""));
        default ->
            name.equals(ALL) ? new Account(namespace, true) : new Account(namespace + name, false);
      };
    }
  }

  /**
   * Something with objects.
   *
   * @param clusterScope whether requests match that name no namespace
   */
  record ResourceRule(
      List<String> verbs,
      List<String> groups,
      List<String> resources,
      List<String> namespaces,
      boolean clusterScope) {

    static ResourceRule read(JsonObject rule) {
      return new ResourceRule(
          List.copyOf(rule.array("verbs").texts()),
          List.copyOf(rule.array("apiGroups").texts()),
          List.copyOf(rule.array("resources").texts()),
          List.copyOf(rule.array("namespaces").texts()),
          rule.flag("clusterScope", false));
    }

    boolean matches(Action.OnResource on) {
      return has(verbs, on.verb())
          && has(resources, on.path())
          && has(groups, on.resource().group())
          && (on.namespace().isEmpty() ? clusterScope : has(namespaces, on.namespace()));
    }
  }

  /** Something with a path that is no resource's; one that is named includes all below it. */
  record PathRule(List<String> verbs, List<String> paths) {
    static PathRule read(JsonObject rule) {
      return new PathRule(
          List.copyOf(rule.array("verbs").texts()),
          List.copyOf(rule.array("nonResourceURLs").texts()));
    }

    boolean matches(Action.OnPath on) {
      return has(verbs, on.verb()) && paths.stream().anyMatch(path -> covers(path, on.path()));
    }

    private static boolean covers(String rule, String path) {
      if (rule.equals(ALL) || rule.equals(path)) {
        return true;
      }
      String prefix = rule.endsWith(ALL) ? rule.substring(0, rule.length() - 1) : rule;
      return path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    }
  }
}
