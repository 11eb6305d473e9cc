package dev.berth.store.embedded;

import dev.berth.store.Store;
import dev.berth.store.StoreException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Writes until that fails, then says what still works. Argument: the store's directory. */
final class FailingChild {

  private FailingChild() {}

  public static void main(String... arguments) {
    try (Store store = EmbeddedStore.open(Path.of(arguments[0]), EmbeddedStore.Options.DEFAULT)) {
      var random = new SplittableRandom(1);
      String failure = "";
      while (failure.isEmpty()) {
        failure = put(store, random);
      }
      System.out.println(store.revision());
      System.out.println(failure);
      System.out.println(put(store, random));
      System.out.println(store.get("/k").isPresent() ? "reads" : "lost");
    }
  }

  private static String put(Store store, SplittableRandom random) {
    try {
      store.put("/k", SelfDescribing.value("/k", random, 3_000), Store.ANY);
      return "";
    } catch (StoreException e) {
      return e.toString();
    }
  }
}
