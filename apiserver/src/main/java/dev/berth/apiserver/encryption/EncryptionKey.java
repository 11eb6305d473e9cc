package dev.berth.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.pki.cipher.Decrypter;
import dev.berth.pki.cipher.ValueCipher;
import dev.berth.store.embedded.ValueForm;
import dev.berth.wire.Protobuf;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key of a provider, and the form of the values that it encrypts: kube-apiserver's prefix, the
 * name of the key, then the cipher's bytes. Where in the store a value is, is authenticated with it
 * where the cipher can do so, so that nobody who can change the file can exchange two values.
 *
 * <p>Keys are equal if they have the same name and the same secret.
 */
final class EncryptionKey implements ValueForm {
  private final byte[] prefix;
  private final byte[] secret;
  private final Decrypter cipher;

  /**
   * @param prefix what all values begin with that were encrypted with it
   */
  EncryptionKey(String prefix, byte[] secret, Decrypter cipher) {
    this.prefix = prefix.getBytes(UTF_8);
    this.secret = secret.clone();
    this.cipher = cipher;
  }

  /** Whether a value says that it was encrypted with a key of this provider and name. */
  boolean claims(byte[] stored) {
    return stored.length >= prefix.length
        && Arrays.equals(stored, 0, prefix.length, prefix, 0, prefix.length);
  }

  byte[] read(String place, byte[] stored) throws GeneralSecurityException {
    byte[] value =
        cipher.decrypt(
            Arrays.copyOfRange(stored, prefix.length, stored.length), place.getBytes(UTF_8));
    if (!isObject(value)) {
      // Only of a cipher that authenticates nothing.
      throw new GeneralSecurityException("it was encrypted with another key, or was changed");
    }
    return value;
  }

  /** All that is stored is JSON, or protobuf in its envelope. */
  private static boolean isObject(byte[] value) {
    return (value.length > 0 && value[0] == '{') || Protobuf.isEnvelope(value);
  }

  @Override
  public byte[] write(String place, byte[] value) {
    if (!(cipher instanceof ValueCipher writing)) {
      throw new IllegalStateException(this + " is for reading only");
    }
    byte[] encrypted = writing.encrypt(value, place.getBytes(UTF_8));
    byte[] whole = Arrays.copyOf(prefix, prefix.length + encrypted.length);
    System.arraycopy(encrypted, 0, whole, prefix.length, encrypted.length);
    return whole;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EncryptionKey that
        && Arrays.equals(prefix, that.prefix)
        && MessageDigest.isEqual(secret, that.secret);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(prefix), Arrays.hashCode(secret));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return new String(prefix, UTF_8);
  }
}
