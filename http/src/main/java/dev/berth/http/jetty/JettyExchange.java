package dev.berth.http.jetty;

import dev.berth.http.Duplex;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import java.io.InputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** An exchange over Jetty. */
final class JettyExchange implements Exchange {
  private static final int WATCH_CHUNK_BYTES = 4 * 1024;

  /** As much as a record of TLS holds, and a frame of HTTP/2. */
  private static final int LAGGING_WATCH_CHUNK_BYTES = 16 * 1024;

  private static final int BULK_CHUNK_BYTES = 32 * 1024;

  /** As long as the kubelet lets streaming connections be silent. */
  private static final Duration UPGRADED_IDLE = Duration.ofHours(4);

  /** How long to wait for a body that is not wanted: whoever is slow may lose the answer. */
  private static final Duration UNWANTED_BODY_ARRIVAL = Duration.ofSeconds(2);

  private final Request request;
  private final org.eclipse.jetty.server.Response response;
  private final Callback callback;
  private final OpenStreams streams;
  private final ConnectionGate gate;
  private final BulkTurns turns;
  private final Duration bodyArrival;
  private final StuckConnection stuck;
  private boolean answered;
  private boolean bodyWanted;
  private @Nullable JettyStream stream;
  private @Nullable JettyDuplex duplex;

  JettyExchange(
      Request request,
      org.eclipse.jetty.server.Response response,
      Callback callback,
      OpenStreams streams,
      ConnectionGate gate,
      BulkTurns turns,
      HttpLimits limits) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.streams = streams;
    this.gate = gate;
    this.turns = turns;
    this.bodyArrival = limits.bodyArrival();
    stuck = new StuckConnection(request, limits.idle().plus(limits.idle()));
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    String path = request.getHttpURI().getPath();
    return path == null ? "" : path;
  }

  @Override
  public Optional<String> query() {
    return Optional.ofNullable(request.getHttpURI().getQuery());
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  @Override
  public List<String> headers(String name) {
    return List.copyOf(request.getHeaders().getValuesList(name));
  }

  @Override
  public List<String> headerNames() {
    return List.copyOf(request.getHeaders().getFieldNamesCollection());
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    EndPoint.SslSessionData session = endPoint.getSslSessionData();
    X509Certificate @Nullable [] chain = session == null ? null : session.peerCertificates();
    return chain == null ? List.of() : List.of(chain);
  }

  @Override
  public SocketAddress remoteAddress() {
    return request.getConnectionMetaData().getRemoteSocketAddress();
  }

  @Override
  public void markAuthenticated() {
    gate.authenticated(request.getConnectionMetaData().getConnection().getEndPoint());
  }

  @Override
  public boolean acceptsGzip() {
    return Gzip.accepted(headers("Accept-Encoding"));
  }

  @Override
  public byte[] body(int maxBytes) {
    bodyWanted = true;
    return RequestBody.read(request, maxBytes, bodyArrival);
  }

  @Override
  public InputStream bodyStream() {
    bodyWanted = true;
    return new BodyStream(request);
  }

  @Override
  public boolean isUpgradable() {
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
  }

  @Override
  public Duplex upgrade(Headers headers) {
    if (!isUpgradable()) {
      throw new IllegalStateException("Only HTTP/1.1 connections can be upgraded.");
    }
    begin(HttpStatus.SWITCHING_PROTOCOLS_101, headers);
    Connection connection = request.getConnectionMetaData().getConnection();
    EndPoint endPoint = connection.getEndPoint();
    BlockingWriter writer = writer(BulkTurns.Turn.FREE);
    if (!writer.write(false, ByteBuffer.allocate(0))) {
      endPoint.close();
    }
    // Silence is what many of these sessions consist of; the system notices clients that vanished.
    endPoint.setIdleTimeout(UPGRADED_IDLE.toMillis());
    ByteBuffer early =
        connection instanceof Connection.UpgradeFrom from ? from.onUpgradeFrom() : null;
    duplex = new JettyDuplex(endPoint, early == null ? ByteBuffer.allocate(0) : early);
    streams.add(duplex);
    return duplex;
  }

  @Override
  public void answerWith(String header, String value) {
    Headers.Field field = new Headers.Field(header, value);
    response.getHeaders().put(field.name(), field.value());
  }

  private boolean isHttp2() {
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
  }

  boolean answered() {
    return answered;
  }

  @Override
  public void respond(Response answer) {
    if (!bodyWanted) {
      RequestBody.drop(request, UNWANTED_BODY_ARRIVAL);
    }
    begin(answer.status(), answer.headers());
    long length = answer.length();
    if (length >= Gzip.THRESHOLD_BYTES && mayCompress(answer.headers())) {
      BulkTurns.Turn turn = turns.forAnswer();
      sendAll(
          answer,
          new BulkTurns.InTurns(
              turn, new Gzip(announceGzip(new Chunks(writer(turn), BULK_CHUNK_BYTES)))));
    } else if (answer.body().size() <= 1) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
      byte[] all = answer.body().isEmpty() ? new byte[0] : answer.body().getFirst();
      response.write(true, ByteBuffer.wrap(all), callback);
    } else {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
      int chunk = Math.clamp(length, 1, BULK_CHUNK_BYTES);
      BulkTurns.Turn turn = turns.forAnswer();
      sendAll(answer, new BulkTurns.InTurns(turn, new Chunks(writer(turn), chunk)));
    }
  }

  private void sendAll(Response answer, BodySink sink) {
    boolean reaches = true;
    try {
      for (byte[] part : answer.body()) {
        reaches = reaches && sink.write(part, 0, part.length);
      }
      reaches = reaches && sink.finish();
    } finally {
      sink.release();
    }
    if (reaches) {
      callback.succeeded();
    } else {
      callback.failed(new EofException("nobody reads"));
    }
  }

  @Override
  public ResponseStream stream(int status, Headers headers, Streaming streaming) {
    begin(status, headers);
    return switch (streaming) {
      case WATCH -> watch();
      case BULK -> {
        BulkTurns.Turn turn = turns.forAnswer();
        BlockingWriter writer = writer(turn);
        Chunks chunks = new Chunks(writer, BULK_CHUNK_BYTES);
        BodySink body =
            mayCompress(headers)
                ? new GzipWhenLarge(() -> chunks, () -> new Gzip(announceGzip(chunks)))
                : chunks;
        BodySink inTurns = new BulkTurns.InTurns(turn, body);
        yield opened(new JettyStream(callback, writer, inTurns, _ -> {}, stuck));
      }
    };
  }

  private JettyStream watch() {
    HttpVersion version = request.getConnectionMetaData().getHttpVersion();
    boolean http2 = isHttp2();
    if (!http2) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
    Chunks.Framing framing = Chunks.Framing.NONE;
    if (version == HttpVersion.HTTP_1_1) {
      // Otherwise the connection's end would be the body's, and a broken watch look like a whole
      // one.
      response.getHeaders().put(PromptFraming.FIELD);
      framing = new PromptFraming();
    }
    BlockingWriter writer = new BlockingWriter(response, _ -> () -> false);
    JettyStream watch =
        new JettyStream(
            callback,
            writer,
            new Chunks(writer, WATCH_CHUNK_BYTES, LAGGING_WATCH_CHUNK_BYTES, framing),
            streams::remove,
            stuck);
    opened(watch);
    // The client learns that its watch has begun, also if nothing happens for hours.
    if (writer.write(false, ByteBuffer.allocate(0))) {
      Disconnect.watch(request, http2, watch::gone);
    } else {
      watch.gone();
    }
    streams.add(watch);
    return watch;
  }

  private JettyStream opened(JettyStream opened) {
    stream = opened;
    return opened;
  }

  /** Ends what the handler left open when it returned. */
  void finish() {
    if (duplex != null) {
      finish(duplex);
    } else if (stream != null) {
      stream.close();
    }
  }

  private void finish(JettyDuplex upgraded) {
    upgraded.close();
    streams.remove(upgraded);
    callback.succeeded();
  }

  /** Ends an answer that cannot be completed. */
  void fail(Throwable cause) {
    if (duplex != null) {
      finish(duplex);
    } else if (stream != null) {
      stream.abort();
      stream.close();
    } else {
      callback.failed(cause);
    }
  }

  private void begin(int status, Headers headers) {
    if (answered) {
      throw new IllegalStateException(
          "The request %s %s was answered twice.".formatted(method(), path()));
    }
    answered = true;
    response.setStatus(status);
    if (streams.isLeaving() && status != HttpStatus.SWITCHING_PROTOCOLS_101 && !isHttp2()) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
    for (Headers.Field field : headers.fields()) {
      response.getHeaders().add(field.name(), field.value());
    }
  }

  private BlockingWriter writer(BulkTurns.Turn turn) {
    return new BlockingWriter(response, stuck::watch, turn);
  }

  private boolean mayCompress(Headers headers) {
    return !headers.has("Content-Encoding") && acceptsGzip();
  }

  private BodySink announceGzip(BodySink sink) {
    response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    response.getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
    return sink;
  }
}
