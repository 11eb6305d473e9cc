package dev.berth.cli.server;

import dev.berth.agent.join.JoinException;
import dev.berth.agent.join.JoinToken;
import dev.berth.pki.TokenText;
import java.util.HexFormat;

/**
 * What a machine needs to become a server: a bootstrap token, which lets it read the cluster's keys
 * as they are kept for it, and the key that they are encrypted with there, which is nowhere but in
 * this token. So nobody gets the cluster's keys who may merely read its objects.
 *
 * @param key hexadecimal digits
 */
record ServerToken(JoinToken token, String key) {
  private static final String KEY = "[0-9a-f]{64}";

  static ServerToken make() {
    return new ServerToken(JoinToken.parse(TokenText.newBootstrapToken()), TokenText.newKey());
  }

  /**
   * Reads a token.
   *
   * @throws JoinException if it is none
   */
  static ServerToken parse(String text) {
    String stripped = text.strip();
    int dot = stripped.lastIndexOf('.');
    if (dot < 0 || !stripped.substring(dot + 1).matches(KEY)) {
      throw new JoinException(
          "That is no token for servers, which has three parts with dots between them, the last of 64"
              + " hexadecimal digits: \"berth server token\" makes one. Those of \"berth token create\" are"
              + " for nodes.");
    }
    return new ServerToken(
        JoinToken.parse(stripped.substring(0, dot)), stripped.substring(dot + 1));
  }

  byte[] keyBytes() {
    return HexFormat.of().parseHex(key);
  }

  String text() {
    return token.text() + "." + key;
  }

  @Override
  public String toString() {
    return "ServerToken[" + token.id() + "]";
  }
}
