package dev.berth.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.Unreadable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose values look different on disk is a store like all others. */
class TransformedStoreTest extends StoreContract {
  @TempDir Path temporary;

  /** Turns over the bits of values, with a mask for a key. */
  private record Masked(byte mask) implements ValueForm {
    @Override
    public byte[] write(String key, byte[] value) {
      byte[] written = new byte[value.length + 1];
      written[0] = mask;
      for (int i = 0; i < value.length; i++) {
        written[i + 1] = (byte) (value[i] ^ mask);
      }
      return written;
    }
  }

  /** Reads all masks that it knows, and writes the first. */
  private record Masks(List<Byte> known) implements ValueTransformer {
    static Masks of(int... masks) {
      return new Masks(Arrays.stream(masks).mapToObj(mask -> (byte) mask).toList());
    }

    @Override
    public Optional<ValueForm> form(String key) {
      return Optional.of(new Masked(known.getFirst()));
    }

    @Override
    public Reading read(String key, String place, byte[] stored) {
      if (!known.contains(stored[0])) {
        return new Reading.Unreadable("unknown mask " + stored[0]);
      }
      byte[] value = new byte[stored.length - 1];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) (stored[i + 1] ^ stored[0]);
      }
      return new Reading.Value(value, Optional.of(new Masked(stored[0])));
    }

    @Override
    public boolean canRead(String key, ValueForm form) {
      return form instanceof Masked(byte mask) && known.contains(mask);
    }
  }

  @Override
  protected Store open() {
    return open(Masks.of(1));
  }

  private EmbeddedStore open(ValueTransformer transformer) {
    return EmbeddedStore.open(
        temporary.resolve("data"), EmbeddedStore.Options.DEFAULT, transformer);
  }

  private byte[] value(String key) {
    return store.get(key).orElseThrow().value();
  }

  @Test
  void whatIsReadAgainIsWhatWasWritten() {
    byte[] large = new byte[100_000];
    new SplittableRandom(1).nextBytes(large);
    store.put("/a", large, Store.ABSENT);
    store.put("/b", new byte[0], Store.ABSENT);
    assertThat(value("/a")).isEqualTo(large);
    store.close();
    store = open();
    assertThat(value("/a")).isEqualTo(large);
    assertThat(value("/b")).isEmpty();
  }

  @Test
  void aValueIsStaleUntilItIsWrittenInTheNewForm() {
    byte[] value = "value".getBytes(UTF_8);
    store.put("/a", value, Store.ABSENT);
    assertThat(store.isStale("/a")).isFalse();
    store.close();

    EmbeddedStore rotating = open(Masks.of(2, 1));
    store = rotating;
    assertThat(store.isStale("/a")).isTrue();
    assertThat(rotating.firstUnreadable(Masks.of(2))).contains("/a");
    store.put("/a", value, Store.ANY);
    assertThat(store.isStale("/a")).isFalse();
    assertThat(rotating.firstUnreadable(Masks.of(2))).isEmpty();
    store.close();

    store = open(Masks.of(2));
    assertThat(value("/a")).isEqualTo(value);
  }

  @Test
  void whatCannotBeReadStaysAsItIsAndCanBeDeleted() {
    store.put("/a", "value".getBytes(UTF_8), Store.ABSENT);
    store.put("/b", "value".getBytes(UTF_8), Store.ABSENT);
    store.close();
    store = open(Masks.of(2));
    assertThat(Unreadable.of(store.get("/a").orElseThrow()).why()).isEqualTo("unknown mask 1");
    assertThat(store.delete("/b", Store.ANY)).isInstanceOf(Store.WriteResult.Written.class);
    store.close();
    store = open(Masks.of(1));
    assertThat(value("/a")).isEqualTo("value".getBytes(UTF_8));
    assertThat(store.get("/b")).isEmpty();
  }
}
