package dev.berth.http.jetty;

/** An answer that goes on for as long as its client likes, and is asked to end with the server. */
interface Endable {

  /** Asks whoever writes it to end it. */
  void tell();
}
