package dev.berth.serving.wire;

import dev.berth.http.Exchange;
import dev.berth.http.Response;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** By what clients know that a document is the one they have: the hash of its content. */
public final class EntityTag {
  private static final String HEADER = "ETag";

  private EntityTag() {}

  /** The hash of a document, which stands in quotes as a tag. */
  public static String hash(byte[] document) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(document);
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-512.", e);
    }
  }

  public static String quoted(String hash) {
    return "\"" + hash + "\"";
  }

  /** Whether the client already has what has this tag. */
  public static boolean isKnown(Exchange exchange, String tag) {
    return exchange.headers("If-None-Match").stream()
        .flatMap(field -> List.of(field.split(",", -1)).stream())
        .map(known -> known.strip().replaceFirst("^W/", ""))
        .anyMatch(known -> known.equals(tag) || known.equals("*"));
  }

  /** The response without its body if it has a tag that the client knows. */
  public static Response unlessKnown(Exchange exchange, Response response) {
    return response
        .headers()
        .first(HEADER)
        .filter(tag -> isKnown(exchange, tag))
        .map(_ -> new Response(304, response.headers(), List.of()))
        .orElse(response);
  }
}
