package dev.berth.agent.runtime;

import java.time.Duration;
import java.util.List;

/**
 * A command to run in a container.
 *
 * @param timeout after which it is ended; zero for never
 */
public record ExecSpec(List<String> command, boolean stdin, boolean tty, Duration timeout) {

  public ExecSpec(List<String> command, boolean stdin, boolean tty) {
    this(command, stdin, tty, Duration.ZERO);
  }
}
