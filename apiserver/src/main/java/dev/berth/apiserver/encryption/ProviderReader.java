package dev.berth.apiserver.encryption;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.pki.cipher.AesCbc;
import dev.berth.pki.cipher.AesGcm;
import dev.berth.pki.cipher.Decrypter;
import dev.berth.pki.cipher.SecretBox;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads one provider of an EncryptionConfiguration. Secrets are never part of a message. */
final class ProviderReader {
  private static final String IDENTITY = "identity";
  private static final String KMS = "kms";
  private static final String AESCBC = "aescbc";

  /** How to encrypt with a key, and how long that is in bytes. */
  private record Scheme(Function<byte[], Decrypter> cipher, List<Integer> keyBytes) {}

  private static final Map<String, Scheme> SCHEMES =
      new TreeMap<>(
          Map.of(
              "aesgcm",
              new Scheme(AesGcm::new, List.of(16, 24, 32)),
              AESCBC,
              new Scheme(AesCbc::new, List.of(16, 24, 32)),
              "secretbox",
              new Scheme(SecretBox::new, List.of(32))));

  private ProviderReader() {}

  /**
   * The keys of a provider, an empty one for identity.
   *
   * @param writes whether it is the one by which objects are written
   */
  static List<Optional<EncryptionKey>> read(ConfigFields provider, boolean writes) {
    List<String> known = new ArrayList<>(SCHEMES.keySet());
    known.addAll(List.of(IDENTITY, KMS));
    provider.onlyHas(Set.copyOf(known));
    List<String> found = known.stream().filter(provider::has).toList();
    if (found.isEmpty()) {
      provider.error(
          FieldError.required(
              provider.path(),
              "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC,"
                  + " Secretbox, Identity"));
      return List.of();
    }
    if (found.size() > 1) {
      provider.error(
          FieldError.forbidden(
              provider.path(),
              "more than one provider specified in a single element, should split into different"
                  + " list elements"));
      return List.of();
    }
    String name = found.getFirst();
    ConfigFields settings = provider.object(name);
    if (name.equals(KMS)) {
      provider.error(
          FieldError.forbidden(
              provider.path(KMS),
              "KMS providers are not supported: use aesgcm or secretbox, whose keys are in this"
                  + " file"));
      return List.of();
    }
    if (name.equals(AESCBC) && writes) {
      provider.error(
          FieldError.forbidden(
              provider.path(AESCBC),
              "aescbc is only read, since it does not notice changes: put aesgcm or secretbox"
                  + " first"));
    }
    Scheme scheme = SCHEMES.get(name);
    if (scheme == null) {
      settings.onlyHas(Set.of());
      return List.of(Optional.empty());
    }
    return keys(settings, name, scheme);
  }

  private static List<Optional<EncryptionKey>> keys(
      ConfigFields settings, String name, Scheme scheme) {
    settings.onlyHas(Set.of("keys"));
    List<ConfigFields> listed = settings.objects("keys");
    if (listed.isEmpty()) {
      settings.required("keys", "at least one keys is required");
    }
    List<Optional<EncryptionKey>> keys = new ArrayList<>();
    for (ConfigFields key : listed) {
      key.onlyHas(Set.of("name", "secret"));
      String keyName = key.text("name", "");
      if (keyName.isEmpty()) {
        key.required("name", "name is a mandatory field for a key");
      }
      byte[] secret = secret(key, scheme.keyBytes());
      if (secret != null) {
        String prefix = "k8s:enc:%s:v1:%s:".formatted(name, keyName);
        keys.add(Optional.of(new EncryptionKey(prefix, secret, scheme.cipher().apply(secret))));
      }
    }
    return keys;
  }

  private static byte @Nullable [] secret(ConfigFields key, List<Integer> lengths) {
    if (key.has("secret") && !(key.tree().get("secret") instanceof String)) {
      key.invalid("secret", "REDACTED", "must be a string");
      return null;
    }
    String text = key.text("secret", "");
    if (text.isEmpty()) {
      key.required("secret", "secret is a mandatory field for a key");
      return null;
    }
    byte[] secret;
    try {
      secret = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      key.invalid("secret", "REDACTED", "secrets must be base64 encoded");
      return null;
    }
    if (!lengths.contains(secret.length)) {
      key.invalid(
          "secret",
          "REDACTED",
          "secret is not of the expected length, got %d, expected one of %s"
              .formatted(secret.length, lengths.toString().replace(",", "")));
      return null;
    }
    return secret;
  }
}
