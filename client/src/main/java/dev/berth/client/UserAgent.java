package dev.berth.client;

/** How Berth's components call themselves. The first word owns the fields that they write. */
public final class UserAgent {
  private UserAgent() {}

  /** {@code berth-scheduler/0.1.0} for the component {@code scheduler}. */
  public static String of(String component) {
    String version = UserAgent.class.getPackage().getImplementationVersion();
    return "berth-" + component + "/" + (version == null ? "unreleased" : version);
  }
}
