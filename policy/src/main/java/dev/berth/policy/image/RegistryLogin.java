package dev.berth.policy.image;

/** How to log in to a registry. */
public record RegistryLogin(String username, String password) {

  /** Says nothing of the password, which must not get into a log. */
  @Override
  public String toString() {
    return username + ":***";
  }
}
