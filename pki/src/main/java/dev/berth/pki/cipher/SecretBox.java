package dev.berth.pki.cipher;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * NaCl's secretbox: a nonce of 24 random bytes, a Poly1305 tag of 16, and what XSalsa20 encrypted.
 * Neither is in the JDK, whose ChaCha20 is another cipher; both are in the library that signs
 * certificates. The form has no room for a context, so a value opens wherever it is put.
 */
public final class SecretBox implements ValueCipher {
  private static final int NONCE_BYTES = 24;
  private static final int TAG_BYTES = 16;

  /** What the key stream begins with is the tag's key; the value follows it. */
  private static final int TAG_KEY_BYTES = 32;

  private final KeyParameter key;

  /**
   * @param key 32 bytes
   */
  public SecretBox(byte[] key) {
    this.key = new KeyParameter(key);
  }

  @Override
  public byte[] encrypt(byte[] value, byte[] context) {
    return encryptWith(Nonces.random(NONCE_BYTES), value);
  }

  byte[] encryptWith(byte[] nonce, byte[] value) {
    byte[] whole = new byte[NONCE_BYTES + TAG_BYTES + value.length];
    System.arraycopy(nonce, 0, whole, 0, NONCE_BYTES);
    int begin = NONCE_BYTES + TAG_BYTES;
    XSalsa20Engine stream = stream(nonce);
    KeyParameter tagKey = tagKey(stream);
    stream.processBytes(value, 0, value.length, whole, begin);
    byte[] tag = tag(tagKey, whole, begin);
    System.arraycopy(tag, 0, whole, NONCE_BYTES, TAG_BYTES);
    return whole;
  }

  @Override
  public byte[] decrypt(byte[] encrypted, byte[] context) throws GeneralSecurityException {
    int begin = NONCE_BYTES + TAG_BYTES;
    Nonces.checkLength(encrypted, begin);
    byte[] nonce = new byte[NONCE_BYTES];
    byte[] tag = new byte[TAG_BYTES];
    System.arraycopy(encrypted, 0, nonce, 0, NONCE_BYTES);
    System.arraycopy(encrypted, NONCE_BYTES, tag, 0, TAG_BYTES);
    XSalsa20Engine stream = stream(nonce);
    KeyParameter tagKey = tagKey(stream);
    if (!MessageDigest.isEqual(tag, tag(tagKey, encrypted, begin))) {
      throw new GeneralSecurityException("it was encrypted with another key, or was changed");
    }
    byte[] value = new byte[encrypted.length - begin];
    stream.processBytes(encrypted, begin, value.length, value, 0);
    return value;
  }

  private XSalsa20Engine stream(byte[] nonce) {
    XSalsa20Engine stream = new XSalsa20Engine();
    stream.init(true, new ParametersWithIV(key, nonce));
    return stream;
  }

  private static KeyParameter tagKey(XSalsa20Engine stream) {
    byte[] first = new byte[TAG_KEY_BYTES];
    stream.processBytes(first, 0, TAG_KEY_BYTES, first, 0);
    return new KeyParameter(first);
  }

  private static byte[] tag(KeyParameter tagKey, byte[] whole, int begin) {
    Poly1305 mac = new Poly1305();
    mac.init(tagKey);
    mac.update(whole, begin, whole.length - begin);
    byte[] tag = new byte[TAG_BYTES];
    mac.doFinal(tag, 0);
    return tag;
  }
}
