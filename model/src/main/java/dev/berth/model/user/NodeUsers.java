package dev.berth.model.user;

import java.util.Optional;

/** The users that nodes are: {@code system:node:<name>} in the group {@code system:nodes}. */
public final class NodeUsers {
  public static final String GROUP = "system:nodes";

  private static final String PREFIX = "system:node:";

  private NodeUsers() {}

  public static String userName(String node) {
    return PREFIX + node;
  }

  /** The name of the node that a user is; an empty one if it is a node but does not say which. */
  public static Optional<String> nodeName(User user) {
    return nodeName(user.name()).filter(_ -> user.groups().contains(GROUP));
  }

  /** The name of the node that a user's name says. */
  public static Optional<String> nodeName(String userName) {
    return userName.startsWith(PREFIX)
        ? Optional.of(userName.substring(PREFIX.length()))
        : Optional.empty();
  }
}
