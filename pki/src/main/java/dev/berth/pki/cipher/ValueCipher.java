package dev.berth.pki.cipher;

/** Encrypts values too: a cipher that is good enough for what is written today. */
public interface ValueCipher extends Decrypter {

  /**
   * Encrypts a value.
   *
   * @param context as for decrypting
   */
  byte[] encrypt(byte[] value, byte[] context);
}
