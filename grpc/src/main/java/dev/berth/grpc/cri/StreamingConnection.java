package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Headers;
import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.OutgoingCall;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.http.spdy.SpdyConnection;
import dev.berth.http.spdy.SpdyStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A connection to a runtime's streaming server, which a virtual thread reads until it ends. */
final class StreamingConnection implements AutoCloseable {
  private final SpdyConnection spdy;

  private StreamingConnection(SpdyConnection spdy) {
    this.spdy = spdy;
  }

  /**
   * Connects.
   *
   * @param url as the runtime named it, once
   * @param protocol of the streams
   */
  static StreamingConnection open(String url, String protocol, Duration within) throws IOException {
    URI uri = URI.create(url);
    if (uri.getHost() == null || !"http".equals(uri.getScheme())) {
      throw new IOException(
          "\"%s\" is no address such as http://127.0.0.1:1234/exec".formatted(url));
    }
    Destination destination =
        new Destination(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort(), Optional.empty())
            .connectingWithin(within);
    Headers headers =
        Headers.of("Host", destination.authority())
            .with("Connection", "Upgrade")
            .with("Upgrade", SpdyConnection.PROTOCOL)
            .with("X-Stream-Protocol-Version", protocol);
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    OutgoingCall call =
        OutgoingCall.begin(
            destination,
            new OutgoingRequest(
                "POST",
                uri.getRawPath() + query,
                headers,
                null,
                OptionalLong.empty(),
                true,
                within));
    if (!call.isUpgraded()) {
      String said = new String(call.body().readNBytes(1024), UTF_8);
      call.close();
      throw new IOException("it answered %d: %s".formatted(call.status(), said.strip()));
    }
    StreamingConnection connection = new StreamingConnection(new SpdyConnection(call.upgraded()));
    Thread.ofVirtual().name("runtime-stream").start(connection::read);
    return connection;
  }

  private void read() {
    try {
      spdy.run(_ -> {});
    } catch (IOException _) {
      // Whoever reads a stream sees that it has ended.
      spdy.close();
    }
  }

  SpdyStream stream(Map<String, String> headers) throws IOException {
    return spdy.open(headers);
  }

  @Override
  public void close() {
    spdy.close();
  }
}
