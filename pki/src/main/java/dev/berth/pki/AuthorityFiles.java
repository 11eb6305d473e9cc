package dev.berth.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An authority in two files that somebody else keeps, a certificate and its key, both PEM. They are
 * read before each signature: whoever replaces them need not restart anything. While they do not
 * belong together, as between the replacement of one and of the other, the last good pair signs.
 */
public final class AuthorityFiles implements CertificateSigner {
  private final Path certificateFile;
  private final Path keyFile;
  private volatile Loaded loaded;

  /** What was read, and what it said. */
  private record Loaded(String texts, CertificateAuthority authority) {}

  private AuthorityFiles(Path certificateFile, Path keyFile) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    this.loaded = load(null);
  }

  /**
   * Reads them.
   *
   * @throws PkiException if they cannot be used, saying why
   */
  public static AuthorityFiles open(Path certificate, Path key) {
    return new AuthorityFiles(certificate, key);
  }

  @Override
  public SigningResult sign(SigningRequest request, Instant now) {
    try {
      loaded = load(loaded);
    } catch (PkiException _) {
      // Somebody is replacing them.
    }
    return request.sign(loaded.authority(), now);
  }

  private Loaded load(@Nullable Loaded before) {
    String certificateText = read(certificateFile);
    String keyText = read(keyFile);
    String texts = certificateText + keyText;
    return before != null && before.texts().equals(texts)
        ? before
        : new Loaded(texts, authority(certificateText, keyText));
  }

  private CertificateAuthority authority(String certificateText, String keyText) {
    try {
      List<X509Certificate> certificates = Pem.certificates(certificateText);
      if (certificates.size() != 1) {
        throw new PkiException(
            "%s holds %d certificates: it must hold the authority's alone."
                .formatted(certificateFile, certificates.size()));
      }
      X509Certificate certificate = certificates.getFirst();
      PrivateKey key = AnyKey.privateKey(keyText);
      if (!KeyPairs.match(key, certificate.getPublicKey())) {
        throw new PkiException(
            "The certificate %s does not belong to the key %s."
                .formatted(certificateFile, keyFile));
      }
      return new CertificateAuthority(key, certificate);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The certificate %s and the key %s cannot be used (%s)."
              .formatted(certificateFile, keyFile, e.getMessage()),
          e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new PkiException("The file %s cannot be read (%s).".formatted(file, e), e);
    }
  }
}
