package dev.berth.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** One request and its answer. Used by one virtual thread; everything may block. */
public interface Exchange {

  String method();

  /**
   * As it was sent: percent-encoding untouched, nothing normalised, {@code ..} included. Broken
   * percent-encoding and paths that climb above the root were answered 400 before.
   */
  String path();

  /** What followed the question mark, as it was sent. */
  Optional<String> query();

  /** The first field of this name. */
  Optional<String> header(String name);

  List<String> headers(String name);

  /** The names of all fields, each once and as it was sent. */
  List<String> headerNames();

  /**
   * What the client presented in the handshake, its own certificate first. Nothing was verified but
   * that the client holds the key: whoever trusts it must verify the chain first.
   */
  List<X509Certificate> peerCertificates();

  SocketAddress remoteAddress();

  /** Says that the client has proved who it is, so that its connection is not closed for others. */
  default void markAuthenticated() {}

  /** Whether the client takes compressed answers; what is large is compressed for it anyway. */
  boolean acceptsGzip();

  /**
   * Reads the whole body.
   *
   * @throws BodyTooLargeException if it is longer
   * @throws ClientGoneException if it will not be complete
   */
  byte[] body(int maxBytes);

  /** Adds a field to the answer, whoever gives it and whatever it will be. */
  void answerWith(String header, String value);

  /** Answers, compressed if it is large and the client accepts that. */
  void respond(Response response);

  /** Begins an answer that is written bit by bit. */
  ResponseStream stream(int status, Headers headers, Streaming streaming);

  /**
   * The body, as it arrives. Reading blocks.
   *
   * @throws ClientGoneException out of a read, if it will not be complete
   */
  default InputStream bodyStream() {
    return new ByteArrayInputStream(body(Integer.MAX_VALUE));
  }

  /** Whether the connection can be taken over: there is one request at a time on it. */
  default boolean isUpgradable() {
    return false;
  }

  /**
   * Answers 101 and takes the connection over. It is closed when the handler returns, if not
   * before.
   *
   * @param headers say what the protocol is
   */
  default Duplex upgrade(Headers headers) {
    throw new UnsupportedOperationException("This connection cannot be upgraded.");
  }
}
