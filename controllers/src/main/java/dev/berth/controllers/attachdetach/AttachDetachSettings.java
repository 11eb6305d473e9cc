package dev.berth.controllers.attachdetach;

import java.time.Duration;
import java.util.Optional;

/**
 * How volumes are attached and detached.
 *
 * @param patience how long a node that is not ready may take to say that it no longer uses a volume
 *     that nobody needs; forever if empty ({@code --disable-force-detach-on-timeout})
 */
public record AttachDetachSettings(Optional<Duration> patience) {
  public static final AttachDetachSettings DEFAULT =
      new AttachDetachSettings(Optional.of(Duration.ofMinutes(6)));

  /** Nothing is detached only because a node is not heard of. */
  public static final AttachDetachSettings PATIENT = new AttachDetachSettings(Optional.empty());
}
