package dev.berth.cli.server;

import dev.berth.apiserver.encryption.ReloadedEncryption;
import dev.berth.apiserver.encryption.ReloadedEncryption.Outcome;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks once a minute whether the file with the keys has changed. */
final class EncryptionReload implements AutoCloseable {
  static final String NAME = "encryption-config-reload";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ReloadedEncryption encryption;
  private final Function<ValueTransformer, Optional<String>> firstUnreadable;
  private final Loop loop;

  EncryptionReload(
      ReloadedEncryption encryption,
      Function<ValueTransformer, Optional<String>> firstUnreadable,
      Time time) {
    this.encryption = encryption;
    this.firstUnreadable = firstUnreadable;
    this.loop = time.start(NAME);
    loop.after(INTERVAL, this::look);
  }

  private void look() {
    switch (encryption.reload(firstUnreadable)) {
      case Outcome.Unchanged _ -> {}
      case Outcome.Reloaded _ -> LOG.info("reloaded the encryption configuration");
      case Outcome.Refused(String why) ->
          LOG.atError()
              .addKeyValue("reason", why)
              .log("cannot use the changed encryption configuration; the earlier one stays");
    }
    loop.after(INTERVAL, this::look);
  }

  @Override
  public void close() {
    loop.close();
  }
}
