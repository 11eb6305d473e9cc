package dev.berth.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.registry.status.Failures;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Lets those who may act as somebody else, in all that the headers say: the user, each group, the
 * uid and each extra. Whoever is not allowed one of them is refused.
 *
 * <p>Groups that are not said are those that follow from the name: a service account's own, and
 * whether it is anonymous.
 */
final class Impersonation {
  private static final String VERB = "impersonate";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String USER = "Impersonate-User";
  private static final String GROUP = "Impersonate-Group";
  private static final String UID = "Impersonate-Uid";
  private static final String EXTRA = "impersonate-extra-";

  private final AccessControl access;
  private final User sender;

  private Impersonation(AccessControl access, User sender) {
    this.access = access;
    this.sender = sender;
  }

  /** Who the request counts as. */
  static Requester of(Exchange exchange, User sender, AccessControl access) {
    String name = exchange.header(USER).orElse("");
    List<String> groups = exchange.headers(GROUP);
    String uid = exchange.header(UID).orElse("");
    Map<String, List<String>> extra = extra(exchange);
    if (!name.isEmpty()) {
      return new Impersonation(access, sender).as(name, groups, uid, extra);
    }
    if (!groups.isEmpty() || !uid.isEmpty() || !extra.isEmpty()) {
      throw Failures.internal(
          "requested groups %s, uid \"%s\" and extra %s without impersonating a user"
              .formatted(groups, uid, extra.keySet()));
    }
    return Requester.of(sender);
  }

  private static Map<String, List<String>> extra(Exchange exchange) {
    Map<String, List<String>> extra = new TreeMap<>();
    for (String header : exchange.headerNames()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith(EXTRA)) {
        extra.put(unescaped(lower.substring(EXTRA.length())), exchange.headers(header));
      }
    }
    return extra;
  }

  /** Keys hold characters that names of headers may not; what is not escaped is meant as it is. */
  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException _) {
      return key;
    }
  }

  private Requester as(
      String name, List<String> groups, String uid, Map<String, List<String>> extra) {
    Optional<ObjectName> account = ServiceAccountUsers.account(name);
    if (account.isPresent()) {
      check("", "serviceaccounts", account.get(), "");
    } else {
      check("", "users", ObjectName.of(name), "");
    }
    groups.forEach(group -> check("", "groups", ObjectName.of(group), ""));
    extra.forEach((key, values) ->
        values.forEach(value -> check(AUTHENTICATION, "userextras", ObjectName.of(value), key)));
    if (!uid.isEmpty()) {
      check(AUTHENTICATION, "uids", ObjectName.of(uid), "");
    }
    List<String> all = new ArrayList<>(groups);
    if (groups.isEmpty() && account.isPresent()) {
      all.addAll(ServiceAccountUsers.groups(account.get().namespace()));
    }
    User user = new User(name, uid, all, extra);
    if (!name.equals(User.ANONYMOUS_NAME)) {
      return new Requester(user.authenticated(), sender);
    }
    if (!all.contains(User.AUTHENTICATED) && !all.contains(User.UNAUTHENTICATED)) {
      all.add(User.UNAUTHENTICATED);
    }
    return new Requester(new User(name, uid, all, extra), sender);
  }

  private void check(String group, String resource, ObjectName name, String subresource) {
    access.check(
        sender,
        new Action.OnResource(
            VERB, new GroupResource(group, resource), name.namespace(), name.name(), subresource));
  }
}
