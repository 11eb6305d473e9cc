package dev.berth.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.time.Time;
import java.net.http.HttpRequest;
import java.util.Base64;

/** Says in a request who sends it, where TLS does not. */
final class Authorization {
  private Authorization() {}

  static void addTo(HttpRequest.Builder message, Identity identity, Time time) {
    switch (identity) {
      case Identity.Token(var source) ->
          message.header("Authorization", "Bearer " + source.token(time.now()));
      case Identity.Password(String user, String password) ->
          message.header(
              "Authorization",
              "Basic "
                  + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
      case Identity.Certificate _, Identity.Anonymous _ -> {}
    }
  }
}
