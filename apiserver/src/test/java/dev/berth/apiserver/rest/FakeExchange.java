package dev.berth.apiserver.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.http.Headers;
import dev.berth.apiserver.http.Response;
import dev.berth.apiserver.http.ResponseStream;
import dev.berth.apiserver.http.Streaming;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A request without a network. Its client takes so many lines of a stream, and then leaves. */
final class FakeExchange implements Exchange {
  private final String method;
  private final String path;
  private final String query;
  private final Map<String, String> headers = new HashMap<>();
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private final List<Headers.Field> answerHeaders = new ArrayList<>();
  private byte[] body = {};
  private int status;
  private int linesWanted = Integer.MAX_VALUE;

  FakeExchange(String method, String target) {
    int question = target.indexOf('?');
    this.method = method;
    this.path = question < 0 ? target : target.substring(0, question);
    this.query = question < 0 ? "" : target.substring(question + 1);
  }

  /** With a header; bars stand between the values of one that is sent several times. */
  FakeExchange with(String header, String value) {
    headers.put(header.toLowerCase(Locale.ROOT), value);
    return this;
  }

  /** A body of JSON in which single quotes stand for double ones. */
  FakeExchange body(String json) {
    body = json.replace('\'', '"').getBytes(UTF_8);
    return this;
  }

  FakeExchange body(byte[] bytes) {
    body = bytes.clone();
    return this;
  }

  FakeExchange leavingAfter(int lines) {
    linesWanted = lines;
    return this;
  }

  int status() {
    return status;
  }

  String answer() {
    return answer.toString(UTF_8);
  }

  byte[] answerBytes() {
    return answer.toByteArray();
  }

  List<String> answerHeaders(String name) {
    return answerHeaders.stream()
        .filter(field -> field.name().equalsIgnoreCase(name))
        .map(Headers.Field::value)
        .toList();
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Optional<String> query() {
    return query.isEmpty() ? Optional.empty() : Optional.of(query);
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  @Override
  public List<String> headers(String name) {
    return header(name).map(value -> List.of(value.split("\\|"))).orElse(List.of());
  }

  @Override
  public List<String> headerNames() {
    return List.copyOf(headers.keySet());
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    return List.of();
  }

  @Override
  public SocketAddress remoteAddress() {
    return InetSocketAddress.createUnresolved("client", 1);
  }

  @Override
  public boolean acceptsGzip() {
    return header("Accept-Encoding").orElse("").contains("gzip");
  }

  @Override
  public byte[] body(int maxBytes) {
    return body;
  }

  @Override
  public void answerWith(String header, String value) {
    answerHeaders.add(new Headers.Field(header, value));
  }

  @Override
  public void respond(Response response) {
    begin(response.status(), response.headers());
    response.body().forEach(answer::writeBytes);
  }

  private void begin(int code, Headers fields) {
    status = code;
    answerHeaders.addAll(fields.fields());
  }

  @Override
  public ResponseStream stream(int code, Headers fields, Streaming streaming) {
    begin(code, fields);
    return new ResponseStream() {
      private int lines;

      @Override
      public boolean write(byte[] bytes) {
        answer.writeBytes(bytes);
        return ++lines < linesWanted;
      }

      @Override
      public boolean flush() {
        return lines < linesWanted;
      }

      @Override
      public void onGone(Runnable listener) {}

      @Override
      public void abort() {}

      @Override
      public void close() {}
    };
  }
}
