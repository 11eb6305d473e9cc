package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The certificates in a {@code pki} directory, as they are: nothing is made or renewed. */
public final class Inventory {
  private Inventory() {}

  /**
   * One of them.
   *
   * @param name what it is for: {@code ca}, {@code apiserver}, {@code admin}
   * @param purpose what distinguishes it from others of its name; empty if there are none
   */
  public record Entry(String name, String purpose, String subject, Instant expires) {}

  /**
   * Reads them.
   *
   * @throws PkiException if there is no authority, or something cannot be read
   */
  public static List<Entry> read(Path directory) {
    String key =
        PrivateFiles.read(directory.resolve("ca.key"))
            .orElseThrow(() ->
                new PkiException(
                    "There is no cluster's authority in %s: name the data directory of one."
                        .formatted(directory)));
    List<Entry> entries = new ArrayList<>();
    List<X509Certificate> authorities = certificates(directory.resolve("ca.crt"));
    for (X509Certificate authority : authorities) {
      boolean signs =
          KeyPairs.match(
              KeyFile.privateKey(directory.resolve("ca.key"), key), authority.getPublicKey());
      String purpose = authorities.size() == 1 ? "" : signs ? "signs" : "trusted only";
      entries.add(entry("ca", purpose, authority));
    }
    for (String name : List.of("apiserver", "admin")) {
      Path file = directory.resolve(name + ".pem");
      if (PrivateFiles.read(file).isPresent()) {
        entries.add(entry(name, "", certificates(file).getFirst()));
      }
    }
    return entries;
  }

  private static Entry entry(String name, String purpose, X509Certificate certificate) {
    return new Entry(
        name,
        purpose,
        certificate.getSubjectX500Principal().getName(),
        certificate.getNotAfter().toInstant());
  }

  private static List<X509Certificate> certificates(Path file) {
    Optional<String> text = PrivateFiles.read(file);
    try {
      return text.isEmpty() ? List.of() : Pem.certificates(text.get());
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The certificate %s is damaged (%s).".formatted(file, e.getMessage()), e);
    }
  }
}
