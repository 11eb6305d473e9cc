package dev.berth.model.user;

import dev.berth.model.resource.ObjectName;
import java.util.List;
import java.util.Optional;

/** The users that service accounts are: how they are called, and the groups they are in. */
public final class ServiceAccountUsers {
  public static final String ALL = "system:serviceaccounts";

  private static final String PREFIX = "system:serviceaccount:";

  private ServiceAccountUsers() {}

  public static String userName(ObjectName account) {
    return PREFIX + account.namespace() + ":" + account.name();
  }

  public static List<String> groups(String namespace) {
    return List.of(ALL, ALL + ":" + namespace);
  }

  /** The account that a user is, if it is one. */
  public static Optional<ObjectName> account(String userName) {
    if (!userName.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String[] parts = userName.substring(PREFIX.length()).split(":", -1);
    boolean whole = parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty();
    return whole ? Optional.of(new ObjectName(parts[0], parts[1])) : Optional.empty();
  }
}
