package dev.berth.access.token.oidc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.Base64;
import java.util.Optional;

/**
 * A JSON web token as somebody sent it. Nothing in it can be trusted before its signature was
 * verified.
 *
 * @param signed what the signature is of
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares tokens
record SignedToken(JsonObject header, JsonObject claims, byte[] signed, byte[] signature) {

  /** Empty if the text is no such token. */
  static Optional<SignedToken> parse(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      Base64.Decoder decoder = Base64.getUrlDecoder();
      return Optional.of(
          new SignedToken(
              JsonReader.object(decoder.decode(parts[0]), JsonLimits.REQUEST),
              JsonReader.object(decoder.decode(parts[1]), JsonLimits.REQUEST),
              (parts[0] + "." + parts[1]).getBytes(US_ASCII),
              decoder.decode(parts[2])));
    } catch (IllegalArgumentException | JsonException e) {
      return Optional.empty();
    }
  }

  /** A field of the header; empty if it is not there or no text. */
  String headerText(String name) {
    return header.get(name) instanceof String text ? text : "";
  }

  /** A claim that is a text; empty if it is not there or something else. */
  String claimText(String name) {
    return claims.get(name) instanceof String text ? text : "";
  }
}
