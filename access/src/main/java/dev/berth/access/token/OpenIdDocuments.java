package dev.berth.access.token;

import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.pki.ServiceAccountKey;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Tells others how to verify the tokens of service accounts: OpenID Connect's discovery. */
public final class OpenIdDocuments {
  private static final String CONFIGURATION = "/.well-known/openid-configuration";
  private static final String KEYS = "/openid/v1/jwks";

  private final Jwt jwt;
  private final String issuer;

  /** Where the keys are found: at the issuer's, unless the server says where it is. */
  private volatile String keysAt;

  public OpenIdDocuments(ServiceAccountKey key, String issuer) {
    this.jwt = new Jwt(key);
    this.issuer = issuer;
    this.keysAt = issuer + KEYS;
  }

  /** The server's keys are found at this address of its own from now on. */
  public void advertise(URI server) {
    keysAt = server.resolve(KEYS).toString();
  }

  public Optional<Response> answer(String path) {
    return switch (path) {
      case CONFIGURATION -> Optional.of(response("application/json", configuration()));
      case KEYS -> Optional.of(response("application/jwk-set+json", jwt.keySet()));
      default -> Optional.empty();
    };
  }

  private JsonObject configuration() {
    return new JsonObject.Builder()
        .put("issuer", issuer)
        .put("jwks_uri", keysAt)
        .put("response_types_supported", JsonArray.of("id_token"))
        .put("subject_types_supported", JsonArray.of("public"))
        .put(
            "id_token_signing_alg_values_supported",
            JsonArray.copyOf(jwt.algorithms().stream().sorted().toList()))
        .build();
  }

  private static Response response(String type, JsonObject document) {
    return new Response(
        200,
        Headers.of("Content-Type", type).with("Cache-Control", "public, max-age=3600"),
        List.of(JsonWriter.toBytes(document)));
  }
}
