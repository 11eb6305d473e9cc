package dev.berth.policy.image;

import java.util.Optional;

/**
 * How to log in to a registry.
 *
 * @param secret where it is written; its hash is this login's
 */
public record RegistryLogin(String username, String password, Optional<PullSecret> secret) {

  /** One that is in no secret. */
  public RegistryLogin(String username, String password) {
    this(username, password, Optional.empty());
  }

  /** Says nothing of the password, which must not get into a log. */
  @Override
  public String toString() {
    return username + ":***";
  }
}
