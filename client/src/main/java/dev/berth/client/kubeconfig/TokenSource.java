package dev.berth.client.kubeconfig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Where a bearer token comes from. May be asked by any thread, and may block. */
@FunctionalInterface
public interface TokenSource {

  /**
   * The token to use now.
   *
   * @throws ConnectionException if there is none
   */
  String token(Instant now);

  static TokenSource fixed(String token) {
    return _ -> token;
  }

  /** A file that somebody else renews; read again every minute, as client-go does. */
  static TokenSource file(Path file) {
    return new TokenSource() {
      private static final Duration FRESH = Duration.ofMinutes(1);

      private String token = "";
      private Instant read = Instant.MIN;

      @Override
      public synchronized String token(Instant now) {
        if (read.equals(Instant.MIN) || !read.plus(FRESH).isAfter(now)) {
          token = content();
          read = now;
        }
        return token;
      }

      private String content() {
        try {
          String text = Files.readString(file, StandardCharsets.UTF_8).strip();
          if (text.isEmpty()) {
            throw new ConnectionException("The token file %s is empty.".formatted(file));
          }
          return text;
        } catch (IOException e) {
          throw new ConnectionException(
              "The token file %s cannot be read (%s).".formatted(file, e.getMessage()), e);
        }
      }
    };
  }
}
