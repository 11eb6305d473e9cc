package dev.berth.http;

/** What a streamed response is for. */
public enum Streaming {
  /**
   * Small pieces now and then, for as long as the client stays: never compressed, and no silence is
   * too long, on either side. A client that stops reading is the caller's to end.
   */
  WATCH,

  /**
   * Very many bytes at once: compressed for clients that accept it, and given up when the client
   * reads nothing for the idle time.
   */
  BULK
}
