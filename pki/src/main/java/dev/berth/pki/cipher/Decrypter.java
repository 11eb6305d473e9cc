package dev.berth.pki.cipher;

import java.security.GeneralSecurityException;

/**
 * Decrypts values with one key, in the forms in which kube-apiserver stores them. May be used from
 * any thread.
 */
public interface Decrypter {

  /**
   * Decrypts a value.
   *
   * @param context what the value belongs to, such as its key in the store; a cipher that
   *     authenticates it decrypts the value for no other
   * @throws GeneralSecurityException if it was encrypted with another key or changed since; the
   *     message says which, as far as that can be known
   */
  byte[] decrypt(byte[] encrypted, byte[] context) throws GeneralSecurityException;
}
