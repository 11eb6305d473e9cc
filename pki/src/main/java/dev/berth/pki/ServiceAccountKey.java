package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Optional;

/**
 * The key that signs service account tokens, kept in {@code sa.key}; {@code sa.pub} is its public
 * half, made again when it is missing. A new key is ECDSA P-256, which is made in a millisecond
 * where RSA takes a tenth of a second; an RSA key that is there is used.
 */
public record ServiceAccountKey(KeyPair pair) {

  /** Opens or makes the key of a {@code pki} directory. */
  public static ServiceAccountKey open(Path directory) {
    PrivateFiles.directory(directory);
    Path keyFile = directory.resolve("sa.key");
    Path publicFile = directory.resolve("sa.pub");
    Optional<String> key = PrivateFiles.read(keyFile);
    Optional<String> publicKey = PrivateFiles.read(publicFile);
    if (key.isPresent() && publicKey.isPresent()) {
      return new ServiceAccountKey(load(keyFile, key.get(), publicFile, publicKey.get()));
    }
    if (publicKey.isPresent()) {
      throw new PkiException(
          "%s is there but %s is not: bring the key back, or remove the public one to begin with a new key that makes all present tokens invalid."
              .formatted(publicFile, keyFile));
    }
    KeyPair pair;
    if (key.isPresent()) {
      pair = KeyFile.pair(keyFile, key.get());
    } else {
      pair = KeyPairs.generate();
      PrivateFiles.write(keyFile, Pem.encode(pair.getPrivate()));
    }
    PrivateFiles.write(publicFile, Pem.encode(Pem.PUBLIC_KEY, pair.getPublic().getEncoded()));
    return new ServiceAccountKey(pair);
  }

  /** A new key that is kept nowhere: what it has signed is worth nothing once the process ends. */
  public static ServiceAccountKey inMemory() {
    return new ServiceAccountKey(KeyPairs.generate());
  }

  private static KeyPair load(Path keyFile, String keyText, Path publicFile, String publicText) {
    PrivateKey key = KeyFile.privateKey(keyFile, keyText);
    try {
      PublicKey publicKey = Pem.publicKey(publicText);
      if (KeyPairs.match(key, publicKey)) {
        return new KeyPair(publicKey, key);
      }
    } catch (GeneralSecurityException _) {
      // The same sentence serves: the file is of no use, and can be made again.
    }
    throw new PkiException(
        "%s does not belong to the key %s: remove it to have it made again."
            .formatted(publicFile, keyFile));
  }

  /** The name of its signatures in tokens. */
  public String algorithm() {
    return pair.getPublic() instanceof ECPublicKey ? "ES256" : "RS256";
  }

  @Override
  public String toString() {
    return "ServiceAccountKey[" + algorithm() + "]";
  }
}
