package dev.berth.agent.shutdown;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Who shuts the machine down, and can be asked to wait: logind, but in tests. All methods block.
 */
public interface LoginManager extends AutoCloseable {

  /** Connects to it. */
  @FunctionalInterface
  interface Connector {
    LoginManager connect(Listener listener) throws IOException;
  }

  /** Is told what happens, by any thread. Nothing may block. */
  interface Listener {
    /** The machine is about to be shut down, or is not after all. */
    void preparing(boolean shutsDown);

    /** It was started anew, and may know nothing of locks. */
    void restarted();

    /** Nothing is heard of it any more. */
    void lost(String why);
  }

  /** Keeps the machine from being shut down for a while. */
  interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  /** A lock that somebody holds. */
  record Inhibitor(String what, String who, String why, String mode, long pid) {}

  /** Whether the machine is about to be shut down. */
  boolean isPreparing() throws IOException;

  /** How long it waits for locks at most. */
  Duration longestDelay() throws IOException;

  /** Has it wait longer; takes effect a moment later. */
  void raiseDelay(Duration delay) throws IOException;

  Lock inhibit() throws IOException;

  /** All locks on a shutdown. */
  List<Inhibitor> inhibitors() throws IOException;

  @Override
  void close();
}
