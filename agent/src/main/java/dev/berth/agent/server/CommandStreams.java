package dev.berth.agent.server;

import java.io.IOException;
import java.io.OutputStream;

/** The streams between a command and its client, in one of the protocols that clients speak. */
interface CommandStreams extends AutoCloseable {

  /** Is told what the client sends, each kind on one thread at a time. */
  interface Listener {

    /** May block, and the client is slowed down then. */
    void stdin(byte[] bytes, int length);

    /** The client will send no more input. */
    void stdinEnded();

    void resized(int columns, int rows);

    /** The client has gone. */
    void gone();
  }

  /** Begins to pass on what the client sends, on threads that end with the connection. */
  void begin(Listener listener);

  OutputStream stdout();

  OutputStream stderr();

  /** Says how it ended, and that nothing more follows. */
  void finish(CommandStatus status) throws IOException;

  /** Whether the client has gone. */
  boolean isGone();

  /** Waits until the client has gone, which it does when it knows the end. */
  void awaitGone();

  /** Closes the connection; whoever reads or writes is released. */
  @Override
  void close();
}
