package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.probe.HttpAnswer.Answered;
import dev.berth.agent.probe.HttpAnswer.BrokenOff;
import dev.berth.agent.probe.HttpAnswer.Unanswered;
import dev.berth.agent.probe.HttpAnswer.WithoutTls;
import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.OutgoingCall;
import java.io.EOFException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * Asks containers' HTTP servers for pages, and suspects them: an answer has a largest size and
 * follows no redirect to another host, where a pod could have the node ask for what the pod itself
 * cannot reach. Failures are told in the words of Go's client, which operators know from other
 * nodes. For any thread; blocks.
 */
final class HttpGets {
  private static final int LARGEST_BODY = 10 << 10;
  private static final int MOST_REDIRECTS = 10;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Set<String> SCHEMES = Set.of("http", "https");

  /** A probe asks whether a server answers, not who it is. Made when it is first needed. */
  private static final class AnyServer {
    static final SSLContext TLS = trustingAll();

    private static SSLContext trustingAll() {
      try {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
        return context;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("Java without TLS", e);
      }
    }
  }

  private HttpGets() {}

  /** Asks for a page, and follows redirects of its server to itself. */
  static HttpAnswer get(HttpGet page, Cutoff cutoff) {
    HttpGet next = page;
    for (int asked = 0; asked < MOST_REDIRECTS; asked++) {
      switch (step(next, page.address().host(), cutoff)) {
        case Step.End(HttpAnswer answer) -> {
          return answer;
        }
        case Step.Redirect(HttpGet there) -> next = there;
      }
    }
    return unanswered(next, "stopped after 10 redirects");
  }

  /** What one request led to. */
  private sealed interface Step {
    record End(HttpAnswer answer) implements Step {}

    record Redirect(HttpGet there) implements Step {}
  }

  private static Step step(HttpGet page, String host, Cutoff cutoff) {
    HttpAddress address = page.address();
    if (!SCHEMES.contains(address.scheme())) {
      return new Step.End(
          unanswered(page, "unsupported protocol scheme \"%s\"".formatted(address.scheme())));
    }
    try (OutgoingCall call =
        OutgoingCall.begin(destination(address), page.request(), cutoff::opened)) {
      Optional<String> location = call.headers().first("Location");
      if (!REDIRECTS.contains(call.status()) || location.isEmpty()) {
        return new Step.End(answered(page, call, cutoff));
      }
      Optional<HttpAddress> there = address.resolve(location.get());
      if (there.isEmpty()) {
        return new Step.End(
            unanswered(page, "failed to parse Location header \"%s\"".formatted(location.get())));
      }
      boolean keepsHost = !HttpAddress.isAbsolute(location.get());
      return there.get().host().equalsIgnoreCase(host)
          ? new Step.Redirect(page.at(there.get(), keepsHost))
          : new Step.End(answered(page, call, cutoff));
    } catch (IOException | IllegalArgumentException e) {
      return new Step.End(failed(page, e, cutoff));
    }
  }

  private static Destination destination(HttpAddress address) {
    boolean isSecure = address.scheme().equals("https");
    return new Destination(
            address.host(),
            address.port(),
            isSecure ? Optional.of(AnyServer.TLS) : Optional.empty())
        .anyName()
        .connectingWithin(Duration.ZERO);
  }

  private static HttpAnswer answered(HttpGet page, OutgoingCall call, Cutoff cutoff) {
    try {
      byte[] body = page.wantsBody() ? call.body().readNBytes(LARGEST_BODY) : new byte[0];
      return new Answered(call.status(), new String(body, UTF_8));
    } catch (IOException e) {
      return new BrokenOff(
          cutoff.isOver()
              ? "context deadline exceeded (Client.Timeout or context cancellation while reading"
                  + " body)"
              : String.valueOf(e.getMessage()));
    }
  }

  private static HttpAnswer failed(HttpGet page, Exception e, Cutoff cutoff) {
    if (cutoff.isOver()) {
      return unanswered(
          page, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
    }
    if (e.getCause() instanceof SSLException tls && speaksNoTls(tls)) {
      return new WithoutTls(quoted(page, "http: server gave HTTP response to HTTPS client"));
    }
    return unanswered(page, e instanceof EOFException ? "EOF" : String.valueOf(e.getMessage()));
  }

  /** Java has no other sign of it. */
  private static boolean speaksNoTls(SSLException e) {
    return String.valueOf(e.getMessage()).contains("unrecognized SSL message");
  }

  private static HttpAnswer unanswered(HttpGet page, String why) {
    return new Unanswered(quoted(page, why));
  }

  private static String quoted(HttpGet page, String why) {
    return "Get \"%s\": %s".formatted(page.address(), why);
  }
}
