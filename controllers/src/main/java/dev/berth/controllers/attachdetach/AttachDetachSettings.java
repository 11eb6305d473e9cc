package dev.berth.controllers.attachdetach;

import java.time.Duration;
import java.util.Optional;

/**
 * How volumes are attached and detached.
 *
 * @param patience how long a node that is not ready may take to say that it no longer uses a volume
 *     that nobody needs; forever if empty ({@code --disable-force-detach-on-timeout})
 * @param outOfService whether volumes are taken at once from nodes that are out of service (the
 *     gate {@code NodeOutOfServiceVolumeDetach})
 */
public record AttachDetachSettings(Optional<Duration> patience, boolean outOfService) {
  public static final AttachDetachSettings DEFAULT =
      new AttachDetachSettings(Optional.of(Duration.ofMinutes(6)), true);

  /** Nothing is detached only because a node is not heard of. */
  public AttachDetachSettings patient() {
    return new AttachDetachSettings(Optional.empty(), outOfService);
  }

  /** That a node is out of service makes no difference. */
  public AttachDetachSettings ignoringOutOfService() {
    return new AttachDetachSettings(patience, false);
  }
}
