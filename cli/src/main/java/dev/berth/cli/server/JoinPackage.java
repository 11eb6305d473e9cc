package dev.berth.cli.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.agent.join.JoinException;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.pki.PkiException;
import dev.berth.pki.SharedKeys;
import dev.berth.pki.cipher.AesGcm;
import java.security.GeneralSecurityException;
import java.util.Map;

/**
 * What one server gives another.
 *
 * @param options those of its options, by their names, that the other one needs too
 */
record JoinPackage(SharedKeys keys, Map<String, String> options) {

  byte[] encrypt(ServerToken token) {
    JsonObject content =
        new JsonObject.Builder()
            .put("files", JsonObject.ofStrings(keys.files()))
            .put("options", JsonObject.ofStrings(options))
            .build();
    return new AesGcm(token.keyBytes()).encrypt(JsonWriter.toBytes(content), context(token));
  }

  /**
   * Reads one.
   *
   * @throws JoinException if that token is not for it
   */
  static JoinPackage decrypt(byte[] encrypted, ServerToken token) {
    try {
      byte[] plain = new AesGcm(token.keyBytes()).decrypt(encrypted, context(token));
      JsonObject content = JsonReader.object(plain, JsonLimits.REQUEST);
      return new JoinPackage(
          SharedKeys.of(content.object("files").toStrings()),
          content.object("options").toStrings());
    } catch (GeneralSecurityException e) {
      throw new JoinException(
          "The cluster's keys cannot be decrypted with this token: its last part is wrong. Copy the whole"
              + " line that \"berth server token\" printed.",
          e);
    } catch (JsonException | PkiException e) {
      throw new JoinException(
          "What the cluster keeps for this token cannot be used: " + e.getMessage(), e);
    }
  }

  /** So that one that was made for another token is refused. */
  private static byte[] context(ServerToken token) {
    return token.token().id().getBytes(US_ASCII);
  }
}
