package dev.berth.http;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * A connection after an upgrade: bytes both ways, in a protocol that is no longer HTTP. One thread
 * reads and one writes; both may block, which is how a slow peer slows down the other one. Neither
 * can be interrupted; {@link #close}, which any thread may call, releases them.
 */
public interface Duplex extends AutoCloseable {

  /** Ends when the peer has sent everything, and fails when the connection is broken. */
  InputStream input();

  /** Sends what is written at once: nothing is kept back, so there is nothing to flush. */
  OutputStream output();

  /** Closes the connection, both ways and at once. */
  @Override
  void close();
}
