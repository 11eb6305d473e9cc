package dev.berth.pki;

/** Makes secrets that people copy. */
public final class TokenText {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final String DIGITS = "0123456789abcdef";
  private static final int ID = 6;
  private static final int SECRET = 16;
  private static final int KEY = 64;

  private TokenText() {}

  /** A bootstrap token: an id, a dot, and a secret of 82 bits. */
  public static String newBootstrapToken() {
    return KeyPairs.letters(ID, LETTERS) + "." + KeyPairs.letters(SECRET, LETTERS);
  }

  /** A key of 256 bits, as hexadecimal digits. */
  public static String newKey() {
    return KeyPairs.letters(KEY, DIGITS);
  }
}
