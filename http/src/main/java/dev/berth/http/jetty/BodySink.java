package dev.berth.http.jetty;

/** Where the bytes of a body go. Each method returns false when they reach nobody any more. */
interface BodySink {

  boolean write(byte[] bytes, int offset, int length);

  boolean flush();

  /** Ends the body. Nothing may follow. */
  boolean finish();

  /** Gives back what the sink holds. Can be called at any time, and more than once. */
  void release();
}
