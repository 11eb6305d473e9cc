package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.pki.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a server of our own on this machine what is beside the measurement. */
public final class Control {
  private final HttpClient http;
  private final Berth berth;

  public Control(Berth berth) {
    this.berth = berth;
    this.http = HttpClient.newBuilder().sslContext(Trust.in(berth.authority())).build();
  }

  public byte[] get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  public byte[] post(String path, byte[] json) throws IOException, InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofByteArray(json)).build());
  }

  public byte[] patch(String path, byte[] json) throws IOException, InterruptedException {
    return send(
        request(path)
            .setHeader("Content-Type", "application/merge-patch+json")
            .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(json))
            .build());
  }

  public byte[] delete(String path) throws IOException, InterruptedException {
    return send(request(path).DELETE().build());
  }

  /** An answer that goes on, such as a watch; the caller closes it. */
  public InputStream stream(String path) throws IOException, InterruptedException {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofInputStream()).body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(berth.url(path)))
        .header("Authorization", "Bearer " + Berth.TOKEN)
        .header("Content-Type", "application/json");
  }

  private byte[] send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IOException(request.uri() + ": " + new String(response.body(), UTF_8));
    }
    return response.body();
  }
}
