package dev.berth.sim;

import dev.berth.controllers.ControllerSettings;
import dev.berth.policy.taint.DefaultTolerations;

/**
 * How the control plane of a simulated cluster is set.
 *
 * @param tolerations those that the server gives to pods without tolerations of node problems
 */
public record ControlPlaneSettings(ControllerSettings controllers, DefaultTolerations tolerations) {

  /** As it is unless somebody says otherwise. */
  public static ControlPlaneSettings standard() {
    return of(ControllerSettings.standard());
  }

  /** With controllers that are set like this. */
  public static ControlPlaneSettings of(ControllerSettings controllers) {
    return new ControlPlaneSettings(controllers, DefaultTolerations.FIVE_MINUTES);
  }
}
