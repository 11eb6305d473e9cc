package dev.berth.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.UUID;

/**
 * Pods as a cluster holds them: alike in most of their fields, each with its own names and numbers.
 */
public final class Pods {
  private static final String TEMPLATE = template();

  private Pods() {}

  /** The JSON of pod number i, about 3.5 KB. */
  public static byte[] json(int i) {
    String uid = new UUID(i * 0x9E3779B97F4A7C15L, i * 0xC2B2AE3D27D4EB4FL).toString();
    int node = i / 30;
    return TEMPLATE
        .replace("@SUFFIX@", Integer.toString(i + 50_000_000, 36))
        .replace("@UID@", uid)
        .replace("@REVISION@", Integer.toString(1_000_000 + i))
        .replace("@NODE@", (node / 250) + "." + (node % 250))
        .getBytes(UTF_8);
  }

  private static String template() {
    try (InputStream in =
        Objects.requireNonNull(Pods.class.getResourceAsStream("pod.json"), "pod.json")) {
      return new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
