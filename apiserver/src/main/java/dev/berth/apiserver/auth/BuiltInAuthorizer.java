package dev.berth.apiserver.auth;

import java.util.List;
import java.util.Set;

/**
 * What holds before any role was given to anybody: {@code system:masters} may do everything, and
 * everybody may see whether the server is well and which version it is. Who may do what else is for
 * roles to say.
 */
public final class BuiltInAuthorizer implements Authorizer {
  private static final Set<String> PUBLIC = Set.of("/healthz", "/livez", "/readyz", "/version");
  private static final List<String> PUBLIC_BELOW = List.of("/livez/", "/readyz/", "/healthz/");

  @Override
  public Decision authorize(User user, Action action) {
    if (user.groups().contains(User.MASTERS)) {
      return Decision.ALLOWED;
    }
    return action instanceof Action.OnPath(String verb, String path)
            && verb.equals("get")
            && isPublic(path)
        ? Decision.ALLOWED
        : Decision.NO_OPINION;
  }

  private static boolean isPublic(String path) {
    return PUBLIC.contains(path) || PUBLIC_BELOW.stream().anyMatch(path::startsWith);
  }
}
