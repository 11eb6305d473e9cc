package dev.berth.client;

/**
 * The User-Agent of Berth's components. Its first word becomes the manager of the fields that they
 * write.
 */
public final class UserAgent {
  private UserAgent() {}

  /** {@code berth-scheduler/0.1.0} for the component {@code scheduler}. */
  public static String of(String component) {
    String version = UserAgent.class.getPackage().getImplementationVersion();
    return "berth-" + component + "/" + (version == null ? "unreleased" : version);
  }
}
