package dev.berth.serving.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.Headers;
import dev.berth.http.outgoing.Destination;
import dev.berth.serving.fixture.FakeExchange;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedHeadersTest {
  private static final Destination BACKEND = new Destination("10.0.0.1", 80, Optional.empty());

  @Test
  void whatIsForThisServerOrThisConnectionStaysHere() {
    FakeExchange exchange =
        new FakeExchange("GET", "/x")
            .with("Authorization", "Bearer secret")
            .with("Impersonate-User", "bob")
            .with("Connection", "keep-alive, X-Hop")
            .with("X-Hop", "1")
            .with("TE", "trailers")
            .with("Transfer-Encoding", "chunked")
            .with("Accept", "text/html")
            .with("Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.c2VjcmV0, v4");
    Headers headers = ForwardedHeaders.ofRequest(exchange, BACKEND, false);
    assertThat(headers.fields())
        .extracting(field -> field.name().toLowerCase(Locale.ROOT))
        .containsExactlyInAnyOrder("accept", "host", "sec-websocket-protocol", "x-forwarded-for");
    assertThat(headers.first("Sec-WebSocket-Protocol")).contains("v4");
    assertThat(headers.first("Host")).contains("10.0.0.1:80");
  }

  @Test
  void anUpgradeIsAskedForAgain() {
    FakeExchange exchange =
        new FakeExchange("GET", "/x")
            .with("Connection", "Upgrade")
            .with("Upgrade", "SPDY/3.1")
            .with("X-Forwarded-For", "1.2.3.4");
    Headers headers = ForwardedHeaders.ofRequest(exchange, BACKEND, true);
    assertThat(headers.first("Connection")).contains("Upgrade");
    assertThat(headers.first("Upgrade")).contains("SPDY/3.1");
    assertThat(headers.first("X-Forwarded-For").orElseThrow()).startsWith("1.2.3.4, ");
  }

  @Test
  void pagesOfPodsSayNothingAboutThisServersOrigin() {
    Headers answer =
        Headers.of("Access-Control-Allow-Origin", "*")
            .with("Content-Type", "text/html")
            .with("Content-Length", "5")
            .with("Keep-Alive", "timeout=5");
    assertThat(ForwardedHeaders.ofAnswer(answer).fields())
        .containsExactly(new Headers.Field("Content-Type", "text/html"));
  }

  @ParameterizedTest
  @CsvSource({
    "/login,/api/v1/nodes/n/proxy/login",
    "http://10.0.0.1:80/login?a=b#c,/api/v1/nodes/n/proxy/login?a=b#c",
    "http://elsewhere/login,http://elsewhere/login",
    "next,next",
    "/api/v1/nodes/n/proxy/x,/api/v1/nodes/n/proxy/x",
    "::,::",
  })
  void redirectionsLeadThroughTheProxyAgain(String location, String rewritten) {
    ProxyRoute route = new ProxyRoute(BACKEND, "/api/v1/nodes/n/proxy", "/x?y");
    Headers answer = Headers.of("Location", location);
    assertThat(route.rewritten(answer, new FakeExchange("GET", "/x")).first("Location"))
        .contains(rewritten);
    assertThat(route.forwardedUri()).isEqualTo("/api/v1/nodes/n/proxy/x");
  }
}
