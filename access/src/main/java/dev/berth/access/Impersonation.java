package dev.berth.access;

import dev.berth.http.Exchange;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.NameRules;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Lets those who may act as somebody else, in all that the headers say: the user, each group, the
 * uid and each extra. Whoever is not allowed one of them is refused. The first {@link
 * ImpersonationMode} that allows all of it counts.
 *
 * <p>Groups that are not said are those that follow from the name: a service account's own, and
 * whether it is anonymous.
 *
 * <p>Who is refused is told what is missing in the mode that came furthest: the right to do this as
 * such a user, or else the unconstrained one. Upstream names the first mode, which most who may
 * impersonate have never heard of.
 */
final class Impersonation {
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String ASSOCIATED_KEYS = "authentication.kubernetes.io/associated-node-keys";
  private static final Pattern EXTRA_PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private final AccessControl access;
  private final User sender;
  private final WantedUser wanted;
  private final ImpersonationMode mode;

  private Impersonation(
      AccessControl access, User sender, WantedUser wanted, ImpersonationMode mode) {
    this.access = access;
    this.sender = mode == ImpersonationMode.ASSOCIATED_NODE ? withoutExtra(sender) : sender;
    this.wanted = wanted;
    this.mode = mode;
  }

  /** Who the request counts as. */
  static Requester of(Exchange exchange, User sender, Action action, AccessControl access) {
    Optional<WantedUser> wanted = WantedUser.of(exchange);
    if (wanted.isEmpty()) {
      return Requester.of(sender);
    }
    StatusException refusal = null;
    for (ImpersonationMode mode : ImpersonationMode.values()) {
      if (!mode.applies(wanted.get(), sender)) {
        continue;
      }
      Impersonation tried = new Impersonation(access, sender, wanted.get(), mode);
      if (mode.isConstrained() && !access.allows(tried.sender, mode.on(action))) {
        continue;
      }
      Optional<StatusException> refused = tried.refusal();
      if (refused.isEmpty()) {
        String constraint = mode.isConstrained() ? mode.verb() : "";
        return new Requester(tried.user(), sender, constraint);
      }
      refusal = refusal == null ? refused.get() : refusal;
    }
    throw refusal == null ? new IllegalStateException("no mode of impersonation") : refusal;
  }

  /** Roles look at what the sender is, wherever its pod runs. */
  private static User withoutExtra(User sender) {
    List<String> keys = List.copyOf(new TreeMap<>(sender.extra()).keySet());
    return new User(sender.name(), sender.uid(), sender.groups(), Map.of(ASSOCIATED_KEYS, keys));
  }

  private User user() {
    List<String> groups = new ArrayList<>(wanted.groups());
    Optional<ObjectName> account = ServiceAccountUsers.account(wanted.name());
    if (groups.isEmpty() && account.isPresent()) {
      groups.addAll(ServiceAccountUsers.groups(account.get().namespace()));
    }
    if (mode == ImpersonationMode.ASSOCIATED_NODE || mode == ImpersonationMode.ARBITRARY_NODE) {
      groups.add(NodeUsers.GROUP);
    }
    User user = new User(wanted.name(), wanted.uid(), groups, wanted.extra());
    if (!wanted.name().equals(User.ANONYMOUS_NAME)) {
      return user.authenticated();
    }
    if (!groups.contains(User.AUTHENTICATED) && !groups.contains(User.UNAUTHENTICATED)) {
      groups.add(User.UNAUTHENTICATED);
    }
    return new User(wanted.name(), wanted.uid(), groups, wanted.extra());
  }

  /** Why the sender may not act as the user, if so. */
  private Optional<StatusException> refusal() {
    List<Action> needed = new ArrayList<>();
    needed.add(name());
    if (!wanted.uid().isEmpty()) {
      needed.add(on(AUTHENTICATION, "uids", ObjectName.of(wanted.uid()), ""));
    }
    for (String group : wanted.groups()) {
      needed.add(on(identityGroup(), "groups", ObjectName.of(group), ""));
    }
    wanted
        .extra()
        .forEach((key, values) ->
            values.forEach(
                value -> needed.add(on(AUTHENTICATION, "userextras", ObjectName.of(value), key))));
    return forbidden()
        .or(() ->
            needed.stream().flatMap(action -> access.refusal(sender, action).stream()).findFirst());
  }

  private Action name() {
    Optional<ObjectName> account = ServiceAccountUsers.account(wanted.name());
    if (account.isPresent()) {
      return on(identityGroup(), "serviceaccounts", account.get(), "");
    }
    return switch (mode) {
      // Nobody says which node: it is the sender's own.
      case ASSOCIATED_NODE -> on(AUTHENTICATION, "nodes", ObjectName.of("*"), "");
      case ARBITRARY_NODE ->
          on(
              AUTHENTICATION,
              "nodes",
              ObjectName.of(NodeUsers.nodeName(wanted.name()).orElseThrow()),
              "");
      case SERVICE_ACCOUNT, USER_INFO, UNCONSTRAINED ->
          on(identityGroup(), "users", ObjectName.of(wanted.name()), "");
    };
  }

  private String identityGroup() {
    return mode.isConstrained() ? AUTHENTICATION : "";
  }

  private Action on(String group, String resource, ObjectName name, String subresource) {
    return new Action.OnResource(
        mode.verb(),
        new GroupResource(group, resource),
        name.namespace(),
        name.name(),
        subresource);
  }

  /** What nobody may be in a constrained mode, whatever roles say. */
  private Optional<StatusException> forbidden() {
    if (!mode.isConstrained()) {
      return Optional.empty();
    }
    if (wanted.groups().contains("")) {
      return refused("groups", "", "impersonating the empty string group is not allowed");
    }
    if (wanted.groups().contains(User.MASTERS)) {
      return refused(
          "groups", User.MASTERS, "impersonating the system:masters group is not allowed");
    }
    for (Map.Entry<String, List<String>> entry : wanted.extra().entrySet()) {
      if (!isExtraKey(entry.getKey())) {
        return refused(
            "userextras",
            "",
            "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: \"%s\": must be a domain-prefixed path (such as \"acme.io/foo\")"
                .formatted(entry.getKey()));
      }
      if (entry.getValue().contains("")) {
        return refused(
            "userextras", "", "impersonating the empty string value in extra is not allowed");
      }
    }
    return Optional.empty();
  }

  private Optional<StatusException> refused(String resource, String name, String why) {
    Action action = on(AUTHENTICATION, resource, ObjectName.of(name), "");
    return Optional.of(AccessControl.forbidden(sender, action, why));
  }

  private static boolean isExtraKey(String key) {
    int slash = key.indexOf('/');
    return slash > 0
        && NameRules.dns1123Subdomain(key.substring(0, slash)).isEmpty()
        && EXTRA_PATH.matcher(key.substring(slash + 1)).matches();
  }
}
