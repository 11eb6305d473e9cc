package dev.berth.agent.dbus;

import java.io.IOException;

/** Whoever was asked something over a bus has refused it. */
public final class BusErrorException extends IOException {
  private static final long serialVersionUID = 1;

  private final String name;

  BusErrorException(String name, String message) {
    super(message.isEmpty() ? name : message + " (" + name + ")");
    this.name = name;
  }

  /** Such as {@code org.freedesktop.DBus.Error.AccessDenied}. */
  public String name() {
    return name;
  }
}
