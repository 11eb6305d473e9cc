package dev.berth.apiserver.encryption;

import dev.berth.model.config.ConfigException;
import dev.berth.store.embedded.ValueForm;
import dev.berth.store.embedded.ValueTransformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.Function;

/**
 * Encrypts as a file says, also after it has changed: from then on objects are written with its
 * first key, and those that were written with another one are stale.
 *
 * <p>A file that is wrong, or that lacks a key with which something stored is encrypted, changes
 * nothing: with the latter the next start could not read that. What could not be read at the start
 * is read again at the next start only.
 */
public final class ReloadedEncryption implements ValueTransformer {
  private final Path file;
  private volatile ValueTransformer current;

  /** Of the bytes that were last read; keys are not kept beside those in use. */
  private volatile byte[] digest;

  private ReloadedEncryption(Path file, ValueTransformer first, byte[] digest) {
    this.file = file;
    this.current = first;
    this.digest = digest;
  }

  /** Reads a file; whatever is wrong with it is reported at once. */
  public static ReloadedEncryption of(Path file) {
    ValueTransformer first = EncryptionConfiguration.read(file);
    return new ReloadedEncryption(file, first, digest(file));
  }

  /** How a look at the file ended. */
  public sealed interface Outcome {
    record Unchanged() implements Outcome {}

    record Reloaded() implements Outcome {}

    /** It stays as it was, for a reason. */
    record Refused(String why) implements Outcome {}
  }

  /**
   * Reads the file again, if it has changed since the last time.
   *
   * @param unreadable which object could no longer be read with a configuration
   */
  public Outcome reload(Function<ValueTransformer, Optional<String>> unreadable) {
    try {
      byte[] now = digest(file);
      if (MessageDigest.isEqual(now, digest)) {
        return new Outcome.Unchanged();
      }
      digest = now;
      ValueTransformer next = EncryptionConfiguration.read(file);
      Optional<String> lost = unreadable.apply(next);
      if (lost.isPresent()) {
        return new Outcome.Refused(
            "%s lacks the key of %s: add it again, or write all objects with the first key before"
                    .formatted(file, lost.get())
                + " it is removed");
      }
      current = next;
      return new Outcome.Reloaded();
    } catch (ConfigException e) {
      return new Outcome.Refused(String.valueOf(e.getMessage()));
    }
  }

  private static byte[] digest(Path file) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new ConfigException(file + " cannot be read: " + e.getMessage());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  @Override
  public Optional<ValueForm> form(String key) {
    return current.form(key);
  }

  @Override
  public Reading read(String key, String place, byte[] stored) {
    return current.read(key, place, stored);
  }

  @Override
  public boolean canRead(String key, ValueForm form) {
    return current.canRead(key, form);
  }
}
