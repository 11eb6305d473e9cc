package dev.berth.agent.dbus;

import java.io.IOException;

/** What came over a bus is no message. */
final class BusFormatException extends IOException {
  private static final long serialVersionUID = 1;

  BusFormatException(String message) {
    super(message);
  }
}
