package dev.berth.policy.autoscale;

/**
 * Something that people are told about an autoscaler.
 *
 * @param isWarning whether something is wrong
 */
public record AutoscalerEvent(boolean isWarning, String reason, String message) {
  static AutoscalerEvent warning(String reason, String message) {
    return new AutoscalerEvent(true, reason, message);
  }
}
