package dev.berth.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.store.embedded.ValueForm;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.embedded.ValueTransformer.Reading;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/**
 * The keys of some resources in the order of the configuration, an empty one for values that are
 * stored as they are. The first writes; all read, each what claims to be encrypted with it. Two
 * keys may share a name while one replaces the other, so one that fails does not keep the next from
 * being tried.
 */
record ProviderList(List<Optional<EncryptionKey>> keys) {
  /** For resources that nobody configured. */
  static final ProviderList IDENTITY = new ProviderList(List.of(Optional.empty()));

  private static final int LONGEST_NAME_SHOWN = 80;

  ProviderList {
    keys = List.copyOf(keys);
  }

  Optional<ValueForm> form() {
    return keys.getFirst().map(ValueForm.class::cast);
  }

  boolean canRead(ValueForm form) {
    return keys.stream().flatMap(Optional::stream).anyMatch(form::equals);
  }

  Reading read(String place, byte[] stored) {
    if (!ValueTransformer.isEncrypted(stored)) {
      return keys.contains(Optional.<EncryptionKey>empty())
          ? new Reading.Value(stored, Optional.empty())
          : new Reading.Unreadable(
              "it is not encrypted, and its resource's providers do not include identity");
    }
    String why =
        "it is encrypted as %s, and no provider of its resource has a key of that name"
            .formatted(nameOf(stored));
    for (Optional<EncryptionKey> each : keys) {
      if (each.isPresent() && each.get().claims(stored)) {
        try {
          return new Reading.Value(each.get().read(place, stored), Optional.of(each.get()));
        } catch (GeneralSecurityException e) {
          why = "%s: %s".formatted(nameOf(stored), e.getMessage());
        }
      }
    }
    return new Reading.Unreadable(why);
  }

  /** The provider and the key that a value names: all up to the fifth colon. */
  private static String nameOf(byte[] stored) {
    String begin = new String(stored, 0, Math.min(stored.length, LONGEST_NAME_SHOWN), UTF_8);
    int end = -1;
    for (int colons = 0; colons < 5; colons++) {
      end = begin.indexOf(':', end + 1);
      if (end < 0) {
        return ValueTransformer.ENCRYPTED;
      }
    }
    return begin.substring(0, end);
  }
}
