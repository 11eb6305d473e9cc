package dev.berth.agent.join;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bootstrap token.
 *
 * @param id the half that is no secret
 */
public record JoinToken(String id, String secret) {
  private static final Pattern FORM = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");

  /**
   * Reads a token.
   *
   * @throws JoinException if it is none
   */
  public static JoinToken parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new JoinException(
          "That is no bootstrap token: one has 6 and 16 small letters or digits, such as"
              + " abcdef.0123456789abcdef. \"berth token create\" makes one.");
    }
    return new JoinToken(form.group(1), form.group(2));
  }

  /** Both halves, as it is sent. */
  public String text() {
    return id + "." + secret;
  }

  @Override
  public String toString() {
    return "JoinToken[" + id + "]";
  }
}
