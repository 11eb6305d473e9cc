package dev.berth.policy.podrun;

/** What a probe has found out about a container. */
public enum ProbeResult {
  /** It did not run yet, or there is none. */
  UNKNOWN,
  SUCCESS,
  FAILURE
}
