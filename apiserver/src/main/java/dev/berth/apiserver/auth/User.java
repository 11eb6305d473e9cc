package dev.berth.apiserver.auth;

import java.util.ArrayList;
import java.util.List;

/** Who sends a request. */
public record User(String name, List<String> groups) {
  public static final String MASTERS = "system:masters";
  public static final String AUTHENTICATED = "system:authenticated";

  /** Who proves nothing. */
  public static final User ANONYMOUS =
      new User("system:anonymous", List.of("system:unauthenticated"));

  /** The server itself. */
  public static final User SERVER = authenticated("system:apiserver", List.of(MASTERS));

  public User {
    groups = List.copyOf(groups);
  }

  /** A user that proved who it is. */
  public static User authenticated(String name, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new User(name, all);
  }
}
