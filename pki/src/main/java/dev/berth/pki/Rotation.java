package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Replaces a key of the cluster without an outage: at any time whoever verifies trusts all that is
 * in use. There is a file with the key that signs, and one with all that is trusted, a
 * <em>bundle</em>.
 *
 * <ol>
 *   <li>{@link #prepare}: a new key is made, and trusted beside the old one, which still signs.
 *       This is the time to hand the bundle to everybody who verifies.
 *   <li>{@link #switchOver}: the new key signs; what the old one signed is good as before. This is
 *       the time to have all of that made anew.
 *   <li>{@link #finish}: the old one is trusted no more.
 * </ol>
 *
 * Each step replaces one file as its last act, and what is signed with is that part of the bundle
 * which belongs to the key: a crash leaves the state before the step or the one after it. Servers
 * that run notice by themselves.
 */
public final class Rotation {
  private final Path key;
  private final Path nextKey;
  private final Path bundle;
  private final String label;
  private final Form form;

  /** How far it has come. */
  public enum Stage {
    /** One key signs and is trusted. */
    NONE,
    /** There is a new one that is trusted, and does not sign yet. */
    PREPARED,
    /** The new one signs, and the old one is still trusted. */
    SWITCHED
  }

  /** What is in a bundle: public keys, or certificates of them. */
  private record Form(PublicKeyReader publicKey, BiFunction<KeyPair, Instant, byte[]> entry) {

    interface PublicKeyReader {
      PublicKey read(byte[] der) throws GeneralSecurityException;
    }
  }

  private Rotation(Path directory, String name, String bundle, String label, Form form) {
    this.key = directory.resolve(name + ".key");
    this.nextKey = directory.resolve(name + "-next.key");
    this.bundle = directory.resolve(bundle);
    this.label = label;
    this.form = form;
  }

  /** Of the cluster's authority, in a {@code pki} directory that has one. */
  public static Rotation ofAuthority(Path directory) {
    return new Rotation(
        directory,
        "ca",
        "ca.crt",
        Pem.CERTIFICATE,
        new Form(
            der -> Pem.certificates(Pem.encode(Pem.CERTIFICATE, der)).getFirst().getPublicKey(),
            Rotation::certificate));
  }

  private static byte[] certificate(KeyPair pair, Instant now) {
    try {
      return Signing.selfSigned(pair, now).certificate().getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A certificate that was just made has no encoding.", e);
    }
  }

  /** Of the key that signs the tokens of service accounts, likewise. */
  public static Rotation ofServiceAccountKey(Path directory) {
    return new Rotation(
        directory,
        "sa",
        "sa.pub",
        Pem.PUBLIC_KEY,
        new Form(
            der -> Pem.publicKey(Pem.encode(Pem.PUBLIC_KEY, der)),
            (pair, _) -> pair.getPublic().getEncoded()));
  }

  public Stage stage() {
    List<byte[]> trusted = entries();
    if (PrivateFiles.read(nextKey).filter(text -> isTrusted(trusted, text)).isPresent()) {
      return Stage.PREPARED;
    }
    return trusted.size() > 1 ? Stage.SWITCHED : Stage.NONE;
  }

  /** Makes the new key, and has it trusted. */
  public void prepare(Instant now) {
    require(Stage.NONE, "prepared");
    KeyPair pair = KeyPairs.generate();
    List<byte[]> trusted = new ArrayList<>(entries());
    trusted.add(form.entry().apply(pair, now));
    PrivateFiles.write(nextKey, Pem.encode(pair.getPrivate()));
    write(trusted);
  }

  /** Has the new key sign. */
  public void switchOver() {
    require(Stage.PREPARED, "switched");
    PrivateFiles.replace(nextKey, key);
  }

  /** Ends the trust in the old key. */
  public void finish() {
    require(Stage.SWITCHED, "finished");
    write(List.of(entry(entries(), read(key))));
  }

  /** Forgets a new key that does not sign yet. */
  public void cancel() {
    require(Stage.PREPARED, "cancelled");
    write(List.of(entry(entries(), read(key))));
    PrivateFiles.delete(nextKey);
  }

  private void require(Stage wanted, String verb) {
    Stage stage = stage();
    if (stage != wanted) {
      throw new PkiException(
          switch (stage) {
            case NONE ->
                "The rotation cannot be %s, since none is under way: prepare one first."
                    .formatted(verb);
            case PREPARED ->
                "The rotation cannot be %s, since it is prepared: switch or cancel it."
                    .formatted(verb);
            case SWITCHED ->
                "The rotation cannot be %s, since it is switched: finish it.".formatted(verb);
          });
    }
  }

  private List<byte[]> entries() {
    try {
      return Pem.decode(label, read(bundle));
    } catch (GeneralSecurityException e) {
      throw damaged(e);
    }
  }

  private static String read(Path file) {
    return PrivateFiles.read(file)
        .orElseThrow(() ->
            new PkiException(
                "There is no %s: has this cluster ever been started?".formatted(file)));
  }

  private void write(List<byte[]> trusted) {
    StringBuilder text = new StringBuilder();
    trusted.forEach(der -> text.append(Pem.encode(label, der)));
    PrivateFiles.write(bundle, text.toString());
  }

  private boolean isTrusted(List<byte[]> trusted, String keyText) {
    return trusted.stream().anyMatch(der -> belongs(der, keyText));
  }

  private byte[] entry(List<byte[]> trusted, String keyText) {
    return trusted.stream()
        .filter(der -> belongs(der, keyText))
        .findFirst()
        .orElseThrow(
            () -> new PkiException("%s does not belong to the key %s.".formatted(bundle, key)));
  }

  private boolean belongs(byte[] der, String keyText) {
    try {
      PrivateKey wanted = Pem.privateKey(keyText);
      return KeyPairs.match(wanted, form.publicKey().read(der));
    } catch (GeneralSecurityException e) {
      throw damaged(e);
    }
  }

  private PkiException damaged(GeneralSecurityException cause) {
    return new PkiException(
        "%s or its key is damaged (%s): bring it back.".formatted(bundle, cause.getMessage()),
        cause);
  }
}
