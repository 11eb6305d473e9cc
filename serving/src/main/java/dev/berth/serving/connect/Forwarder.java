package dev.berth.serving.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.http.Upgrades;
import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.DialException;
import dev.berth.http.outgoing.OutgoingCall;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Passes a request on to another server, and the answer back. Neither is kept in memory; a client
 * that goes ends it, and so does a server that goes.
 */
public final class Forwarder {
  private static final int PIECE_BYTES = 32 * 1024;
  private static final int MAX_ERROR_BYTES = 50_000;
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;
  private static final int BAD_REQUEST = 400;
  private static final int INTERNAL_ERROR = 500;
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");

  /** What a kubelet may take to begin an answer; pods may take as long as they like. */
  private static final Duration KUBELET_ANSWERS_WITHIN = Duration.ofSeconds(30);

  private Forwarder() {}

  /** Passes on an upgrade, which the request must ask for. */
  public static void upgrade(Exchange exchange, Destination destination, String target) {
    upgrade(exchange, destination, target, Headers.NONE);
  }

  private static void upgrade(
      Exchange exchange, Destination destination, String target, Headers identity) {
    if (!Upgrades.isRequested(exchange) || !exchange.isUpgradable()) {
      throw Failures.badRequest("Upgrade request required");
    }
    Headers headers =
        ForwardedHeaders.identified(
            ForwardedHeaders.ofRequest(exchange, destination, true), identity);
    OutgoingRequest request =
        new OutgoingRequest(
            exchange.method(),
            target,
            headers,
            null,
            OptionalLong.empty(),
            true,
            KUBELET_ANSWERS_WITHIN);
    try (OutgoingCall call = OutgoingCall.begin(destination, request)) {
      if (call.isUpgraded()) {
        Headers accepted =
            ForwardedHeaders.ofAnswer(call.headers())
                .with("Connection", "Upgrade")
                .with("Upgrade", call.headers().first("Upgrade").orElse(""));
        Tunnel.run(exchange.upgrade(accepted), call.upgraded());
      } else if (call.status() < BAD_REQUEST) {
        throw failure("invalid upgrade response: status code " + call.status());
      } else {
        byte[] body = call.body().readNBytes(MAX_ERROR_BYTES);
        exchange.respond(
            new Response(call.status(), ForwardedHeaders.ofAnswer(call.headers()), List.of(body)));
      }
    } catch (DialException e) {
      throw failure("error dialing backend: " + e.getMessage());
    } catch (IOException e) {
      throw failure("error sending request: " + e.getMessage());
    }
  }

  private static StatusException failure(String message) {
    return new StatusException(new Status(INTERNAL_ERROR, "", message, null));
  }

  /** Passes on any request; upgrades too. Links of HTML documents lead through the proxy again. */
  public static void proxy(Exchange exchange, ProxyRoute route) {
    proxy(exchange, route, Headers.NONE, Duration.ZERO, true);
  }

  /**
   * The same to a server that believes us who the client is.
   *
   * @param identity the header fields that say it, which no client can set
   * @param patience how long the server may take to begin its answer; zero for as long as it likes
   */
  public static void proxyAs(
      Exchange exchange, ProxyRoute route, Headers identity, Duration patience) {
    proxy(exchange, route, identity, patience, false);
  }

  private static void proxy(
      Exchange exchange,
      ProxyRoute route,
      Headers identity,
      Duration patience,
      boolean changesLinks) {
    if (Upgrades.isRequested(exchange) && exchange.isUpgradable()) {
      upgrade(exchange, route.destination(), route.target(), identity);
      return;
    }
    Destination destination = route.destination();
    try (OutgoingCall call =
        OutgoingCall.begin(destination, request(exchange, route, identity, patience))) {
      Headers headers = route.rewritten(ForwardedHeaders.ofAnswer(call.headers()), exchange);
      if (exchange.method().equals("HEAD")) {
        exchange.respond(new Response(call.status(), headers, List.of()));
      } else if (changesLinks && ProxiedPage.is(headers)) {
        page(exchange, call, headers, route);
      } else {
        stream(exchange, call, headers);
      }
    } catch (IOException e) {
      throw new StatusException(
          new Status(
              503, "ServiceUnavailable", "error trying to reach service: " + e.getMessage(), null));
    }
  }

  private static void page(Exchange exchange, OutgoingCall call, Headers headers, ProxyRoute route)
      throws IOException {
    byte[] begin = call.body().readNBytes(ProxiedPage.MOST_BYTES);
    Optional<byte[]> changed =
        begin.length < ProxiedPage.MOST_BYTES
            ? ProxiedPage.changed(begin, headers, url -> route.through(url, exchange))
            : Optional.empty();
    if (changed.isPresent()) {
      exchange.respond(new Response(call.status(), headers, List.of(changed.get())));
      return;
    }
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(begin), call.body());
    passOn(call, all, exchange.stream(call.status(), headers, Streaming.BULK), false);
  }

  private static OutgoingRequest request(
      Exchange exchange, ProxyRoute route, Headers identity, Duration patience) {
    Headers headers =
        ForwardedHeaders.identified(
                ForwardedHeaders.ofRequest(exchange, route.destination(), false), identity)
            .with("X-Forwarded-Uri", route.forwardedUri());
    OptionalLong length =
        exchange
            .header("Content-Length")
            .filter(text -> text.matches("\\d{1,18}"))
            .map(text -> OptionalLong.of(Long.parseLong(text)))
            .orElse(OptionalLong.empty());
    boolean hasBody =
        length.isPresent() ? length.getAsLong() > 0 : WITH_BODY.contains(exchange.method());
    return new OutgoingRequest(
        exchange.method(),
        route.target(),
        headers,
        hasBody ? exchange.bodyStream() : null,
        length,
        false,
        patience);
  }

  /**
   * Shows a document of a kubelet as text, over a WebSocket if the client asks for one.
   *
   * @param follows whether it goes on for as long as the client likes
   */
  public static void text(
      Exchange exchange, Destination destination, String target, boolean follows) {
    OutgoingRequest request =
        OutgoingRequest.get(
            target, Headers.of("Host", destination.authority()), KUBELET_ANSWERS_WITHIN);
    try (OutgoingCall call = OutgoingCall.begin(destination, request)) {
      if (call.status() < OK || call.status() > PARTIAL_CONTENT) {
        throw refused(call);
      }
      if (WebSocketStream.isRequested(exchange)) {
        passOn(call, WebSocketStream.ofBytes(exchange), true);
      } else {
        stream(exchange, call, Headers.of("Content-Type", "text/plain"), follows);
      }
    } catch (IOException e) {
      throw failure(
          "Get \"https://%s%s\": %s".formatted(destination.authority(), target, e.getMessage()));
    }
  }

  private static StatusException refused(OutgoingCall call) throws IOException {
    String text = new String(call.body().readNBytes(MAX_ERROR_BYTES), UTF_8);
    return switch (call.status()) {
      case BAD_REQUEST -> Failures.badRequest(text);
      case INTERNAL_ERROR -> Failures.internal(text);
      default -> new StatusException(new Status(call.status(), reason(call.status()), text, null));
    };
  }

  private static String reason(int status) {
    return switch (status) {
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "NotFound";
      case 422 -> "Invalid";
      case 429 -> "TooManyRequests";
      case 503 -> "ServiceUnavailable";
      default -> "";
    };
  }

  private static void stream(Exchange exchange, OutgoingCall call, Headers headers) {
    stream(exchange, call, headers, true);
  }

  private static void stream(
      Exchange exchange, OutgoingCall call, Headers headers, boolean promptly) {
    Streaming streaming = promptly ? Streaming.WATCH : Streaming.BULK;
    passOn(call, exchange.stream(call.status(), headers, streaming), promptly);
  }

  private static void passOn(OutgoingCall call, ResponseStream stream, boolean promptly) {
    passOn(call, call.body(), stream, promptly);
  }

  private static void passOn(
      OutgoingCall call, InputStream body, ResponseStream stream, boolean promptly) {
    stream.onGone(call::close);
    try {
      copy(body, stream, promptly);
      stream.close();
    } catch (IOException _) {
      // The answer has begun, so the only way to say that it is not complete is to break it off.
      stream.abort();
      stream.close();
    }
  }

  private static void copy(InputStream body, ResponseStream stream, boolean promptly)
      throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    for (int read = body.read(bytes); read >= 0; read = body.read(bytes)) {
      byte[] piece = new byte[read];
      System.arraycopy(bytes, 0, piece, 0, read);
      if (!stream.write(piece) || (promptly && !stream.flush())) {
        return;
      }
    }
  }
}
