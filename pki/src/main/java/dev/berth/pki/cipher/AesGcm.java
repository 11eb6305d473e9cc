package dev.berth.pki.cipher;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES in Galois/counter mode: a nonce of 12 random bytes, what is encrypted, and a tag of 16 bytes
 * over that and the context. A key should be replaced before some 200,000 writes, since nonces are
 * drawn at random.
 */
public final class AesGcm implements ValueCipher {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  private final SecretKeySpec key;

  /**
   * @param key 16, 24 or 32 bytes
   */
  public AesGcm(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  @Override
  public byte[] encrypt(byte[] value, byte[] context) {
    byte[] nonce = Nonces.random(NONCE_BYTES);
    byte[] whole = new byte[NONCE_BYTES + value.length + TAG_BYTES];
    try {
      ByteBuffer out = ByteBuffer.wrap(whole).put(nonce);
      cipher(Cipher.ENCRYPT_MODE, nonce, 0, context).doFinal(ByteBuffer.wrap(value), out);
      return whole;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java cannot encrypt with AES-GCM.", e);
    }
  }

  @Override
  public byte[] decrypt(byte[] encrypted, byte[] context) throws GeneralSecurityException {
    Nonces.checkLength(encrypted, NONCE_BYTES + TAG_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, encrypted, 0, context)
          .doFinal(encrypted, NONCE_BYTES, encrypted.length - NONCE_BYTES);
    } catch (AEADBadTagException e) {
      throw new GeneralSecurityException(
          "it was encrypted with another key or for another object, or was changed", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, int at, byte[] context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce, at, NONCE_BYTES));
    cipher.updateAAD(context);
    return cipher;
  }
}
