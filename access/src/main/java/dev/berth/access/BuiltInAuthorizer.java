package dev.berth.access;

import dev.berth.model.user.User;

/**
 * What holds whatever roles say: {@code system:masters} may do everything, so that nobody can lock
 * the administrator out.
 */
public final class BuiltInAuthorizer implements Authorizer {
  private static final Decision ALLOWED = new Decision.Allowed("");

  @Override
  public Decision authorize(User user, Action action) {
    return user.groups().contains(User.MASTERS) ? ALLOWED : Decision.NO_OPINION;
  }
}
