package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The key that signs service account tokens, kept in {@code sa.key}, and all that verify them, in
 * {@code sa.pub}: its public half and, while it is {@linkplain Rotation rotated}, that of the one
 * before or after it. {@code sa.pub} is made again when it is missing. A new key is ECDSA P-256,
 * which is made in a millisecond where RSA takes a tenth of a second; an RSA key that is there is
 * used.
 *
 * <p>Which keys these are may change at any time, by {@link #refresh}; whoever uses them asks each
 * time.
 */
public final class ServiceAccountKey {
  private static final String KEY = "sa.key";

  private final Optional<Path> directory;
  private volatile Keys keys;

  /**
   * The keys at some time.
   *
   * @param signing signs new tokens
   * @param verifying all whose tokens are good
   */
  public record Keys(KeyPair signing, List<PublicKey> verifying) {
    public Keys {
      verifying = List.copyOf(verifying);
    }

    private Keys(KeyPair only) {
      this(only, List.of(only.getPublic()));
    }

    @Override
    public String toString() {
      return "Keys[" + verifying.size() + "]";
    }
  }

  private ServiceAccountKey(Optional<Path> directory, Keys keys) {
    this.directory = directory;
    this.keys = keys;
  }

  /** A key that is kept nowhere, and never another one. */
  public ServiceAccountKey(KeyPair pair) {
    this(Optional.empty(), new Keys(pair));
  }

  /** Opens or makes the key of a {@code pki} directory. */
  public static ServiceAccountKey open(Path directory) {
    PrivateFiles.directory(directory);
    return new ServiceAccountKey(Optional.of(directory), readAll(directory));
  }

  /** The key of a file, in PEM. */
  public static ServiceAccountKey read(Path file) {
    return new ServiceAccountKey(
        KeyFile.pair(
            file,
            PrivateFiles.read(file)
                .orElseThrow(() -> new PkiException("There is no file %s.".formatted(file)))));
  }

  /** A new key that is kept nowhere: what it has signed is worth nothing once the process ends. */
  public static ServiceAccountKey inMemory() {
    return new ServiceAccountKey(KeyPairs.generate());
  }

  /**
   * Reads the files again. A key that is in use is not replaced by a new one because its file is
   * missing.
   *
   * @throws PkiException if they cannot be used; nothing changes then
   */
  public void refresh() {
    directory.ifPresent(kept -> {
      if (PrivateFiles.read(kept.resolve(KEY)).isEmpty()) {
        throw new PkiException("%s is missing in %s: bring it back.".formatted(KEY, kept));
      }
      Keys now = readAll(kept);
      if (!now.verifying().equals(keys.verifying())
          || !now.signing().getPublic().equals(keys.signing().getPublic())) {
        keys = now;
      }
    });
  }

  private static Keys readAll(Path directory) {
    Path keyFile = directory.resolve(KEY);
    Path publicFile = directory.resolve("sa.pub");
    Optional<String> key = PrivateFiles.read(keyFile);
    Optional<String> publicKeys = PrivateFiles.read(publicFile);
    if (key.isPresent() && publicKeys.isPresent()) {
      return load(keyFile, key.get(), publicFile, publicKeys.get());
    }
    if (publicKeys.isPresent()) {
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
    return new Keys(pair);
  }

  private static Keys load(Path keyFile, String keyText, Path publicFile, String publicText) {
    PrivateKey key = KeyFile.privateKey(keyFile, keyText);
    try {
      List<PublicKey> verifying = new ArrayList<>();
      for (byte[] der : Pem.decode(Pem.PUBLIC_KEY, publicText)) {
        verifying.add(Pem.publicKey(Pem.encode(Pem.PUBLIC_KEY, der)));
      }
      for (PublicKey half : verifying) {
        if (KeyPairs.match(key, half)) {
          return new Keys(new KeyPair(half, key), verifying);
        }
      }
    } catch (GeneralSecurityException _) {
      // The same sentence serves: the file is of no use, and can be made again.
    }
    throw new PkiException(
        "%s does not belong to the key %s: remove it to have it made again."
            .formatted(publicFile, keyFile));
  }

  /** The keys as they are now: the same object as long as nothing changes. */
  public Keys keys() {
    return keys;
  }

  /** The key that signs. */
  public KeyPair pair() {
    return keys.signing();
  }

  /** The name of its signatures in tokens. */
  public String algorithm() {
    return algorithm(pair().getPublic());
  }

  /** The name of a key's signatures in tokens. */
  public static String algorithm(PublicKey key) {
    return key instanceof ECPublicKey ? "ES256" : "RS256";
  }

  @Override
  public String toString() {
    return "ServiceAccountKey[" + algorithm() + "]";
  }
}
