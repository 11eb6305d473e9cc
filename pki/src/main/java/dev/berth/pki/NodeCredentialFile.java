package dev.berth.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Where a node keeps a key and its certificate, as kubelets do: {@code PREFIX-current.pem} leads to
 * the file of the newest one, {@code PREFIX-2030-01-01-00-00-00.pem}, which holds the certificate
 * and then the key, for its owner's eyes only.
 */
public record NodeCredentialFile(Path directory, String prefix) {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss").withZone(ZoneOffset.UTC);

  /** The file that leads to the newest one. */
  public Path current() {
    return directory.resolve(prefix + "-current.pem");
  }

  /**
   * What it holds; empty if there is no file.
   *
   * @throws PkiException if there is one that cannot be used
   */
  public Optional<NodeCredential> read() {
    return PrivateFiles.read(current()).map(this::parse);
  }

  private NodeCredential parse(String text) {
    try {
      List<X509Certificate> chain = Pem.certificates(text);
      PrivateKey key = AnyKey.privateKey(text);
      if (!KeyPairs.match(key, chain.getFirst().getPublicKey())) {
        throw new GeneralSecurityException("its key and its certificate do not belong together");
      }
      return new NodeCredential(chain, key);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "%s cannot be used (%s): delete it, and join the cluster again."
              .formatted(current(), e.getMessage()),
          e);
    }
  }

  /** Keeps a new one, which counts from now on, after a crash too. */
  public void write(NodeCredential credential, Instant now) {
    PrivateFiles.directory(directory);
    Path file = directory.resolve(prefix + "-" + STAMP.format(now) + ".pem");
    PrivateFiles.write(
        file,
        Pem.encode(credential.chain())
            + ClientKey.pem(new Credential(credential.key(), credential.certificate())));
    Path link = directory.resolve(prefix + "-updated.pem");
    try {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, file.getFileName());
      Files.move(link, current(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new PkiException("%s cannot be made: %s".formatted(current(), e.getMessage()), e);
    }
  }
}
