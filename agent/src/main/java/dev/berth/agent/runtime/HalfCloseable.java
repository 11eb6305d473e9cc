package dev.berth.agent.runtime;

import java.io.IOException;

/** A connection to a pod whose other end can be told that no more will come. */
public interface HalfCloseable {
  void shutdownOutput() throws IOException;
}
