package dev.berth.http.outgoing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Where to connect.
 *
 * @param host a name or an address, which a server's certificate must name
 * @param tls whom to trust and what to present; empty for a connection without TLS
 * @param verifiesName false if any certificate that is trusted will do
 * @param address where the host is, if its name is not to be looked up
 */
public record Destination(
    String host,
    int port,
    Optional<SSLContext> tls,
    boolean verifiesName,
    Duration connectWithin,
    Optional<InetSocketAddress> address) {

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  public Destination(String host, int port, Optional<SSLContext> tls) {
    this(host, port, tls, true, CONNECT_WITHIN, Optional.empty());
  }

  /** The same without a look at the name in the certificate. */
  public Destination anyName() {
    return new Destination(host, port, tls, false, connectWithin, address);
  }

  /** The same for who does not wait as long. */
  public Destination connectingWithin(Duration time) {
    return new Destination(host, port, tls, verifiesName, time, address);
  }

  /** The same at a known address. */
  public Destination at(InetSocketAddress known) {
    return new Destination(host, port, tls, verifiesName, connectWithin, Optional.of(known));
  }

  /** As a URL or a header field names it. */
  public String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** A connection, and what to close at once if it is no longer wanted. */
  record Connected(Socket socket, Socket underneath) {}

  /**
   * Connects.
   *
   * @param onSocket gets what to close if it is to end before there is a connection
   */
  Connected connect(Consumer<Closeable> onSocket) throws IOException {
    Socket tcp = new Socket();
    try {
      onSocket.accept(tcp);
      tcp.setTcpNoDelay(true);
      tcp.setKeepAlive(true);
      tcp.connect(
          address.orElseGet(() -> new InetSocketAddress(host, port)),
          (int) connectWithin.toMillis());
      if (tls.isEmpty()) {
        return new Connected(tcp, tcp);
      }
      tcp.setSoTimeout((int) connectWithin.toMillis());
      SSLSocket secure =
          (SSLSocket) tls.get().getSocketFactory().createSocket(tcp, host, port, true);
      if (verifiesName) {
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
      }
      secure.startHandshake();
      tcp.setSoTimeout(0);
      return new Connected(secure, tcp);
    } catch (IOException | RuntimeException e) {
      tcp.close();
      throw e;
    }
  }
}
