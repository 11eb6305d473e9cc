package dev.berth.http.outgoing;

import dev.berth.http.Headers;
import java.io.InputStream;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request to another server.
 *
 * @param target path and query, encoded
 * @param headers all but those that say how the body is sent and how long the connection lasts
 * @param body read to its end and sent; null for none
 * @param bodyLength if it is known
 * @param isUpgrade whether the headers ask for another protocol
 * @param answerWithin how long the server may take to begin its answer; zero for as long as it
 *     likes
 */
public record OutgoingRequest(
    String method,
    String target,
    Headers headers,
    @Nullable InputStream body,
    OptionalLong bodyLength,
    boolean isUpgrade,
    Duration answerWithin) {

  public static OutgoingRequest get(String target, Headers headers, Duration answerWithin) {
    return new OutgoingRequest(
        "GET", target, headers, null, OptionalLong.empty(), false, answerWithin);
  }
}
