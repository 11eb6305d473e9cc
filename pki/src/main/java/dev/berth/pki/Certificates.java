package dev.berth.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What others want to know about certificates that they have as text. */
public final class Certificates {
  private Certificates() {}

  /**
   * All certificates of a PEM text.
   *
   * @throws PkiException if there is none, or one that cannot be read
   */
  public static List<X509Certificate> parse(String pem) {
    try {
      return Pem.certificates(pem);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The text holds no certificates that can be read: %s.".formatted(e.getMessage()), e);
    }
  }

  /**
   * All certificates of a file.
   *
   * @throws PkiException if there is none, or one that cannot be read
   */
  public static List<X509Certificate> read(Path file) {
    try {
      return Pem.certificates(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new PkiException("There is no file %s.".formatted(file), e);
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException(
          "%s holds no certificates that can be read: %s.".formatted(file, e.getMessage()), e);
    }
  }

  /** When the first certificate of a PEM text ends; empty if it holds none that can be read. */
  public static Optional<Instant> notAfter(String pem) {
    try {
      return Optional.of(Pem.certificates(pem).getFirst().getNotAfter().toInstant());
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }
}
