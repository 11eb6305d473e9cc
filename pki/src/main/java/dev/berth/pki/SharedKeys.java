package dev.berth.pki;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files of a {@code pki} directory that all servers of a cluster have alike: its authority and
 * the key that signs the tokens of service accounts, those of a {@linkplain Rotation rotation} that
 * is under way included. The certificates of a server and of its administrator are not among them:
 * each server makes its own from these.
 */
public final class SharedKeys {
  private static final String AUTHORITY = "ca.crt";

  /**
   * What is trusted comes before what signs: a server that finds the former alone says that the key
   * is missing, where it would make an authority of its own if it found neither.
   */
  private static final List<String> NEEDED = List.of(AUTHORITY, "ca.key", "sa.pub", "sa.key");

  private static final List<String> OF_A_ROTATION = List.of("ca-next.key", "sa-next.key");

  private final Map<String, String> files;
  private final List<X509Certificate> authorities;

  private SharedKeys(Map<String, String> files, List<X509Certificate> authorities) {
    this.files = Collections.unmodifiableMap(new TreeMap<>(files));
    this.authorities = List.copyOf(authorities);
  }

  /**
   * Those of a directory.
   *
   * @throws PkiException if one is missing
   */
  public static SharedKeys read(Path directory) {
    Map<String, String> files = new TreeMap<>();
    for (String name : NEEDED) {
      files.put(
          name,
          PrivateFiles.read(directory.resolve(name))
              .orElseThrow(() ->
                  new PkiException(
                      "%s is missing in %s: name the data directory of a server that has been started."
                          .formatted(name, directory))));
    }
    for (String name : OF_A_ROTATION) {
      PrivateFiles.read(directory.resolve(name)).ifPresent(text -> files.put(name, text));
    }
    return of(files);
  }

  /**
   * Those that were handed over.
   *
   * @param files what is in each, by its name; others are ignored
   * @throws PkiException if one is missing, or the authority cannot be read
   */
  public static SharedKeys of(Map<String, String> files) {
    Map<String, String> known = new TreeMap<>(files);
    known.keySet().removeIf(name -> !NEEDED.contains(name) && !OF_A_ROTATION.contains(name));
    try {
      if (known.keySet().containsAll(NEEDED)) {
        return new SharedKeys(known, Pem.certificates(known.getOrDefault(AUTHORITY, "")));
      }
    } catch (GeneralSecurityException e) {
      throw new PkiException("The cluster's authority cannot be read: " + e.getMessage(), e);
    }
    throw new PkiException("Of the cluster's keys, some are missing: %s.".formatted(NEEDED));
  }

  /** What is in each file, by its name. */
  public Map<String, String> files() {
    return files;
  }

  /** What the authority that signs, or one that is trusted beside it, is known by. */
  public List<String> authorityHashes() {
    return authorities.stream().map(CertificateHash::of).toList();
  }

  /**
   * Puts them into a {@code pki} directory, which is made if there is none. One that has keys of
   * the same cluster is brought to these; a server that runs there notices by itself.
   *
   * @throws PkiException if there are keys of another cluster
   */
  public void install(Path directory) {
    PrivateFiles.directory(directory);
    refuseOthers(directory);
    for (String name : NEEDED) {
      PrivateFiles.write(directory.resolve(name), files.getOrDefault(name, ""));
    }
    for (String name : OF_A_ROTATION) {
      String text = files.get(name);
      if (text != null) {
        PrivateFiles.write(directory.resolve(name), text);
      } else if (Files.exists(directory.resolve(name))) {
        PrivateFiles.delete(directory.resolve(name));
      }
    }
  }

  private void refuseOthers(Path directory) {
    Optional<String> certificates = PrivateFiles.read(directory.resolve(AUTHORITY));
    boolean isOther;
    try {
      isOther =
          certificates.isPresent()
              ? Pem.certificates(certificates.get()).stream().noneMatch(authorities::contains)
              : NEEDED.stream()
                  .map(directory::resolve)
                  .anyMatch(file -> PrivateFiles.read(file).isPresent());
    } catch (GeneralSecurityException _) {
      isOther = true;
    }
    if (isOther) {
      throw new PkiException(
          "%s holds the keys of another cluster: name an empty data directory, or remove that one if it is of no use any more."
              .formatted(directory));
    }
  }
}
