package dev.berth.pki.cipher;

import java.security.GeneralSecurityException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES in cipher block chaining mode with PKCS #7 padding, the oldest form. Nothing in it shows that
 * a value was changed, nor reliably that the key is another one: so it is read but not written, and
 * whoever decrypts checks what comes out.
 */
public final class AesCbc implements Decrypter {
  private static final int BLOCK_BYTES = 16;

  private final SecretKeySpec key;

  /**
   * @param key 16, 24 or 32 bytes
   */
  public AesCbc(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  @Override
  public byte[] decrypt(byte[] encrypted, byte[] context) throws GeneralSecurityException {
    Nonces.checkLength(encrypted, 2 * BLOCK_BYTES);
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(encrypted, 0, BLOCK_BYTES));
      return cipher.doFinal(encrypted, BLOCK_BYTES, encrypted.length - BLOCK_BYTES);
    } catch (BadPaddingException e) {
      throw new GeneralSecurityException("it was encrypted with another key, or was changed", e);
    } catch (IllegalBlockSizeException e) {
      throw new GeneralSecurityException("the stored data is not a multiple of the block size", e);
    }
  }
}
