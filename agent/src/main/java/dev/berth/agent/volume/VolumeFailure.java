package dev.berth.agent.volume;

/** A volume cannot be made, for now. The message is for people and stands in the pod's events. */
public final class VolumeFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final String volume;

  /**
   * @param volume its name in the pod's specification
   */
  public VolumeFailure(String volume, String message) {
    super(message);
    this.volume = volume;
  }

  public VolumeFailure(String volume, String message, Throwable cause) {
    super(message, cause);
    this.volume = volume;
  }

  public String volume() {
    return volume;
  }
}
