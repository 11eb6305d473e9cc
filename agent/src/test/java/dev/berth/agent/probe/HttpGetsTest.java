package dev.berth.agent.probe;

import static dev.berth.agent.probe.ScriptedServer.redirect;
import static dev.berth.agent.probe.ScriptedServer.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.probe.HttpAnswer.Answered;
import dev.berth.agent.probe.HttpAnswer.BrokenOff;
import dev.berth.agent.probe.HttpAnswer.Unanswered;
import dev.berth.agent.probe.HttpAnswer.WithoutTls;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import dev.berth.http.ServerTls;
import dev.berth.http.jetty.HttpServer;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.ServerNames;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of HTTP servers of containers, and what is made of their answers. */
final class HttpGetsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final Manner PROBE = Manner.probe(Duration.ofSeconds(1));
  private final Cutoff cutoff = new Cutoff(Duration.ofSeconds(1));

  private static HttpGet page(int port, String action) {
    JsonObject tree =
        JsonReader.object(
            action.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    return HttpGet.of(tree, "127.0.0.1", port, PROBE);
  }

  private HttpAnswer get(ScriptedServer server, String action) {
    return HttpGets.get(page(server.port(), action), cutoff);
  }

  private List<String> asked(String action) {
    try (ScriptedServer server = ScriptedServer.start(_ -> text(OK))) {
      assertThat(get(server, action)).isEqualTo(new Answered(200, "ok"));
      return server.requests().getFirst();
    }
  }

  private HttpAnswer answer(Function<String, ScriptedServer.Answer> answers, String path) {
    try (ScriptedServer server = ScriptedServer.start(answers)) {
      return get(server, "{'path':'%s'}".formatted(path));
    }
  }

  @Test
  void aServerIsToldWhoAsksAndByWhichName() {
    assertThat(asked("{'path':'/ok','httpHeaders':[{'name':'host','value':'shop.example'}]}"))
        .containsExactly(
            "GET /ok HTTP/1.1",
            "Host: shop.example",
            "User-Agent: kube-probe/1.36",
            "Accept: */*",
            "Connection: close");
  }

  @Test
  void headersAreSentAsTheyAreWritten() {
    assertThat(
            asked(
                "{'httpHeaders':[{'name':'X-A','value':'1'},{'name':'X-A','value':'2'},"
                    + "{'name':'User-Agent','value':''},{'name':'Accept','value':''},"
                    + "{'name':'Content-Length','value':'7'}]}"))
        .hasSize(5)
        .startsWith("GET / HTTP/1.1")
        .containsSequence("X-A: 1", "X-A: 2")
        .endsWith("Connection: close");
  }

  @Test
  void aHeaderThatWouldWriteOthersIsNotSent() {
    try (ScriptedServer server = ScriptedServer.start(_ -> text(OK))) {
      assertThat(get(server, "{'httpHeaders':[{'name':'X-A','value':'1\\r\\nX-B: 2'}]}"))
          .isInstanceOf(Unanswered.class);
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "health, /health",
    "/a b?c=d e, /a%20b?c=d%20e",
    "/a%2Fb?c#d, /a%2Fb?c",
    "/50%?x, /50%25%3Fx",
    "//evil.example/x, /x",
    "/ü, /%C3%BC",
  })
  void whateverStandsInAPathIsAsked(String path, String target) {
    assertThat(asked("{'path':'%s'}".formatted(path))).startsWith("GET " + target + " HTTP/1.1");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirectsOfAServerToItselfAreFollowed(int status) {
    assertThat(
            answer(
                line ->
                    line.startsWith("GET /new/place?x ") ? text(OK) : redirect(status, "place?x"),
                "/new/"))
        .isEqualTo(new Answered(200, "ok"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://other.example/", "//0.0.0.0/x", "https://[::1]:1/"})
  void redirectsToOtherHostsAreNot(String elsewhere) {
    assertThat(answer(_ -> redirect(302, elsewhere), "/")).isEqualTo(new Answered(302, "Moved"));
  }

  @Test
  void aNameIsKeptWhereARedirectNamesNoOther() {
    try (ScriptedServer server =
        ScriptedServer.start(
            line -> line.startsWith("GET /new") ? text(OK) : redirect(302, "/new"))) {
      get(server, "{'httpHeaders':[{'name':'Host','value':'shop.example'}]}");
      assertThat(server.requests()).allMatch(lines -> lines.contains("Host: shop.example"));
    }
  }

  @Test
  void aServerThatRedirectsForEverIsLeft() {
    try (ScriptedServer server = ScriptedServer.start(_ -> redirect(302, "/loop"))) {
      assertThat(get(server, "{}"))
          .isEqualTo(
              new Unanswered(
                  "Get \"http://127.0.0.1:%d/loop\": stopped after 10 redirects"
                      .formatted(server.port())));
      assertThat(server.requests()).hasSize(10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://127.0.0.1/x", "http://127.0.0.1:99999/", "mailto:someone"})
  void aRedirectToWhatCannotBeAskedIsAFailure(String location) {
    assertThat(answer(_ -> redirect(302, location), "/")).isInstanceOf(Unanswered.class);
  }

  @Test
  void noMoreThanTheBeginningOfAnEndlessAnswerIsRead() {
    HttpAnswer answer =
        answer(
            _ ->
                out -> {
                  out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII));
                  repeat(out, "x".repeat(1024));
                },
            "/");
    assertThat(answer).isEqualTo(new Answered(200, "x".repeat(10 << 10)));
  }

  /** Until the other side is gone, which throws. */
  private static void repeat(OutputStream out, String text) throws IOException {
    while (true) {
      out.write(text.getBytes(US_ASCII));
      out.flush();
    }
  }

  @Test
  void anEndlessHeadIsNotAnAnswer() {
    assertThat(
            answer(
                _ ->
                    out -> {
                      out.write("HTTP/1.1 200 OK\r\n".getBytes(US_ASCII));
                      repeat(out, "X-Filler: " + "x".repeat(100) + "\r\n");
                    },
                "/"))
        .isInstanceOf(Unanswered.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nX-", "HTTP/1.1 200 OK\r\n\r\nbody"})
  void aServerThatTakesTooLongIsCutOffWhateverItHasSaid(String said) {
    HttpAnswer answer =
        answer(
            _ ->
                out -> {
                  out.write(said.getBytes(US_ASCII));
                  cutoff.end();
                },
            "/");
    assertThat(answer).isNotInstanceOf(Answered.class);
    assertThat(answer.toString()).contains("context deadline exceeded (Client.Timeout");
  }

  @Test
  void aServerThatIsTooLateIsNotAsked() {
    cutoff.end();
    assertThat(answer(_ -> text(OK), "/").toString()).contains("context deadline exceeded");
  }

  @Test
  void anAnswerThatBreaksOffIsNone() {
    assertThat(answer(_ -> text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), "/"))
        .isEqualTo(new BrokenOff("the answer broke off"));
  }

  @Test
  void aServerThatIsNotThereIsToldOf() throws IOException {
    int port;
    // Nobody accepts: whoever does while it is closed may get one connection more.
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertThat(HttpGets.get(page(port, "{'path':'/ok'}"), cutoff))
        .isEqualTo(
            new Unanswered(
                "Get \"http://127.0.0.1:%1$d/ok\": dial tcp 127.0.0.1:%1$d: connect: connection refused"
                    .formatted(port)));
  }

  @Test
  void aServerThatHangsUpIsToldOf() {
    assertThat(answer(_ -> _ -> {}, "/"))
        .isInstanceOfSatisfying(
            Unanswered.class, answer -> assertThat(answer.why()).endsWith("/\": EOF"));
  }

  @Test
  void aServerWithoutTlsIsToldApart() {
    try (ScriptedServer server =
        ScriptedServer.start(_ -> text("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      assertThat(get(server, "{'scheme':'HTTPS'}"))
          .isEqualTo(
              new WithoutTls(
                  "Get \"https://127.0.0.1:%d/\": http: server gave HTTP response to HTTPS client"
                      .formatted(server.port())));
    }
  }

  @Test
  void anyCertificateWillDo() {
    Instant now = new WallTime(_ -> {}).now();
    ClusterCa unknown = ClusterCa.inMemory(now);
    Credential serving = unknown.server(ServerNames.of(List.of("somebody.else")), now);
    HttpConfig config =
        new HttpConfig(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerTls(serving.key(), List.of(serving.certificate()), List.of()),
            HttpLimits.DEFAULT,
            (_, _, _) -> {});
    try (HttpServer server =
        HttpServer.start(
            config,
            exchange ->
                exchange.respond(Response.of(200, "text/plain", "secret".getBytes(US_ASCII))))) {
      assertThat(HttpGets.get(page(server.port(), "{'scheme':'HTTPS'}"), cutoff))
          .isEqualTo(new Answered(200, "secret"));
    }
  }
}
