package dev.berth.client.http;

import dev.berth.client.kubeconfig.Connection;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Sends and takes single documents in JSON, of somebody who is no Kubernetes server: an issuer of
 * tokens, a webhook. Whatever the other side does, an answer takes no longer than a timeout, and no
 * more than a few megabytes.
 */
public final class JsonExchange implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 22;
  private static final int FIRST_FAILURE = 300;
  private static final String JSON = "application/json";

  private final Connection connection;
  private final Duration timeout;
  private final Time time;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SharedClient client;

  /**
   * @param connection whom to trust and who we are; the address is of each request
   */
  public JsonExchange(Connection connection, Duration timeout, Time time) {
    this.connection = connection;
    this.timeout = timeout;
    this.time = time;
    this.client =
        new SharedClient(
            HttpClient.newBuilder()
                .sslContext(TlsClient.context(connection))
                .executor(threads)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
  }

  /** Reads a document. */
  public JsonObject get(URI address) throws IOException {
    return send(message(address).GET());
  }

  /** Sends a document, and reads the answer. */
  public JsonObject post(URI address, JsonObject document) throws IOException {
    return send(
        message(address)
            .header("Content-Type", JSON)
            .POST(BodyPublishers.ofByteArray(JsonWriter.toBytes(document))));
  }

  /** An answer, whatever it says. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
  public record Answer(int status, byte[] body) {}

  /**
   * Sends a document and takes whatever is answered.
   *
   * @throws SocketTimeoutException if there is no answer in time
   */
  public Answer exchange(URI address, JsonObject document, Duration within) throws IOException {
    HttpRequest request =
        message(address)
            .header("Content-Type", JSON)
            .POST(BodyPublishers.ofByteArray(JsonWriter.toBytes(document)))
            .build();
    try {
      HttpResponse<byte[]> response =
          client.send(
              request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES), within);
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private HttpRequest.Builder message(URI address) throws IOException {
    try {
      HttpRequest.Builder message = HttpRequest.newBuilder(address).header("Accept", JSON);
      Authorization.addTo(message, connection.identity(), time);
      return message;
    } catch (IllegalArgumentException e) {
      throw new IOException(address + " is no address: " + e.getMessage(), e);
    }
  }

  private JsonObject send(HttpRequest.Builder message) throws IOException {
    HttpRequest request = message.build();
    HttpResponse<byte[]> response;
    try {
      response =
          client.send(
              request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES), timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(request.uri() + ": interrupted", e);
    } catch (IOException e) {
      throw new IOException("%s: %s".formatted(request.uri(), reason(e)), e);
    }
    if (response.statusCode() >= FIRST_FAILURE) {
      throw new IOException("%s answered %d".formatted(request.uri(), response.statusCode()));
    }
    try {
      return JsonReader.object(response.body(), JsonLimits.REQUEST);
    } catch (JsonException e) {
      throw new IOException(
          "%s did not answer with a JSON object: %s".formatted(request.uri(), e.getMessage()), e);
    }
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    if (message != null && !message.isBlank()) {
      return message;
    }
    return e instanceof ConnectException
        ? "nobody answers at that address"
        : e.getClass().getSimpleName();
  }

  @Override
  public void close() {
    client.close();
    threads.shutdownNow();
  }
}
