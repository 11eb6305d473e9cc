package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Headers;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A page that a probe or a hook asks for.
 *
 * @param host what the server is to think that it is called; empty for its address
 * @param headers all others
 * @param wantsBody whether it is of interest what the server answers
 */
public record HttpGet(HttpAddress address, String host, List<Header> headers, boolean wantsBody) {
  /** A header of a request. */
  public record Header(String name, String value) {
    private boolean isCalled(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  /** How a request is sent is none of its author's business. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("connection", "content-length", "trailer", "transfer-encoding");

  private static final String HOST = "Host";
  private static final String USER_AGENT = "User-Agent";
  private static final String ACCEPT = "Accept";

  /**
   * The page that a specification describes. Who asks is as the specification says, or else as the
   * manner does.
   */
  static HttpGet of(JsonObject action, String podAddress, int port, Manner manner) {
    List<Header> given = new ArrayList<>();
    for (JsonObject header : action.array("httpHeaders").objects()) {
      given.add(new Header(header.text("name", ""), header.text("value", "")));
    }
    List<Header> headers = new ArrayList<>();
    // Servers may be told nothing of these two, by an empty value.
    addUnlessEmpty(headers, USER_AGENT, first(given, USER_AGENT).orElse(manner.agent()));
    if (first(given, ACCEPT).isEmpty()) {
      headers.add(new Header(ACCEPT, "*/*"));
    }
    boolean isNotAccepting = first(given, ACCEPT).equals(Optional.of(""));
    for (Header header : given) {
      boolean isLeftOut =
          header.isCalled(HOST)
              || header.isCalled(USER_AGENT)
              || (isNotAccepting && header.isCalled(ACCEPT))
              || OF_THE_CONNECTION.contains(header.name.toLowerCase(Locale.ROOT));
      if (!isLeftOut) {
        headers.add(header);
      }
    }
    HttpAddress address =
        HttpAddress.of(
            action.text("scheme", "HTTP"),
            action.text("host", podAddress),
            port,
            action.text("path", ""));
    return new HttpGet(
        address, first(given, HOST).orElse(""), List.copyOf(headers), !manner.anyAnswerWillDo());
  }

  private static void addUnlessEmpty(List<Header> headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.add(new Header(name, value));
    }
  }

  private static Optional<String> first(List<Header> headers, String name) {
    return headers.stream().filter(h -> h.isCalled(name)).map(Header::value).findFirst();
  }

  /**
   * The page that a server sends its client to; it keeps its name only where the server does not
   * say another.
   */
  HttpGet at(HttpAddress other, boolean keepsHost) {
    return new HttpGet(other, keepsHost ? host : "", headers, wantsBody);
  }

  /** The same without TLS, and without a password that nobody else may read. */
  HttpGet withoutTls() {
    return new HttpGet(
        address.withoutTls(),
        host,
        headers.stream().filter(h -> !h.isCalled("Authorization")).toList(),
        wantsBody);
  }

  /**
   * As it is sent.
   *
   * @throws IllegalArgumentException if a header cannot be
   */
  OutgoingRequest request() {
    Headers sent = Headers.of(HOST, host.isEmpty() ? address.authority() : bytes(host));
    for (Header header : headers) {
      sent = sent.with(header.name(), bytes(header.value()));
    }
    return OutgoingRequest.get(address.target(), sent, Duration.ZERO);
  }

  /** Headers are sent a byte for each character: one for each byte of what may be no ASCII. */
  private static String bytes(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }
}
