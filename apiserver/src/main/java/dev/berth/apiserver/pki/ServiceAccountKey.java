package dev.berth.apiserver.pki;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;

/**
 * The key that signs service account tokens, kept in {@code sa.key}. A new one is ECDSA P-256,
 * which is made in a millisecond where RSA takes a tenth of a second; an RSA key that is there is
 * used.
 */
public record ServiceAccountKey(KeyPair pair) {

  /** Opens or makes the key of a {@code pki} directory. */
  public static ServiceAccountKey open(Path directory) {
    PrivateFiles.directory(directory);
    Path file = directory.resolve("sa.key");
    return PrivateFiles.read(file)
        .map(text -> new ServiceAccountKey(KeyFile.parse(file, text)))
        .orElseGet(() -> {
          KeyPair made = Keys.generate();
          PrivateFiles.write(file, Pem.encode(made.getPrivate()));
          return new ServiceAccountKey(made);
        });
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
