package dev.berth.agent.runtime;

import java.io.InputStream;
import java.io.OutputStream;

/** The streams of a process in a container, for one who uses them from afar. */
public interface Session extends AutoCloseable {

  /** What is written here it reads; nothing if it has no standard input. */
  OutputStream stdin();

  InputStream stdout();

  /** Empty with a terminal, which has one stream for both. */
  InputStream stderr();

  /** Tells its terminal, if it has one, how large the window is. */
  void resize(int columns, int rows);

  /** Waits until the process has ended; its exit code, 128 and the signal if it was killed. */
  int waitFor() throws InterruptedException;

  /** Leaves: ends a command that was run, but not a container that was attached to. */
  @Override
  void close();
}
