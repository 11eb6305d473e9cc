package dev.berth.cli.certs;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.UsageException;
import dev.berth.pki.Rotation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** {@code berth certs rotate}: takes a step of a {@link Rotation}, and says what comes next. */
final class RotateVerb {
  private static final String AUTHORITY = "ca";
  private static final String SERVICE_ACCOUNT_KEY = "service-account-key";
  private static final List<String> KEYS = List.of(AUTHORITY, SERVICE_ACCOUNT_KEY);
  private static final List<String> STEPS = List.of("prepare", "switch", "finish", "cancel");

  private final Path pki;
  private final Console console;

  RotateVerb(Path pki, Console console) {
    this.pki = pki;
    this.console = console;
  }

  void run(List<String> words, Instant now) {
    if (words.size() < 2) {
      throw new UsageException(
          "berth certs rotate needs a key (%s) and a step (%s)."
              .formatted(String.join(", ", KEYS), String.join(", ", STEPS)));
    }
    String key = words.get(0);
    if (!KEYS.contains(key)) {
      throw CertsCommand.unknown("key", key, KEYS);
    }
    Rotation rotation = rotation(pki, key);
    switch (words.get(1)) {
      case "prepare" -> rotation.prepare(now);
      case "switch" -> rotation.switchOver();
      case "finish" -> rotation.finish();
      case "cancel" -> rotation.cancel();
      default -> throw CertsCommand.unknown("step", words.get(1), STEPS);
    }
    console.out().println(state(key, rotation.stage()));
    console.out().println("A server that is running follows within 10 seconds.");
  }

  /** How far the rotations are that are under way. */
  static void show(Path pki, Console console) {
    for (String key : KEYS) {
      Rotation.Stage stage = rotation(pki, key).stage();
      if (stage != Rotation.Stage.NONE) {
        console.out().println(state(key, stage));
      }
    }
  }

  private static Rotation rotation(Path pki, String key) {
    return key.equals(AUTHORITY) ? Rotation.ofAuthority(pki) : Rotation.ofServiceAccountKey(pki);
  }

  private static String state(String key, Rotation.Stage stage) {
    boolean isAuthority = key.equals(AUTHORITY);
    return switch (stage) {
      case NONE -> "%s: one key signs and is trusted.".formatted(key);
      case PREPARED ->
          "%s: a new key is trusted, the old one still signs. Next: %s, then \"berth certs rotate %s switch\"."
              .formatted(
                  key,
                  isAuthority
                      ? "give the new bundle (ca.crt, the kubeconfig, each namespace's"
                          + " kube-root-ca.crt) to all clients"
                      : "wait until whoever reads /openid/v1/jwks has the new key (an hour at most)",
                  key);
      case SWITCHED ->
          "%s: the new key signs, the old one is still trusted. Next: %s, then \"berth certs rotate %s finish\"."
              .formatted(
                  key,
                  isAuthority
                      ? "have all client certificates of nodes and users issued anew"
                      : "wait until the old tokens have expired (an hour for those of pods)",
                  key);
    };
  }
}
