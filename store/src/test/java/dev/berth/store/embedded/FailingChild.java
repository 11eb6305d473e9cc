package dev.berth.store.embedded;

import dev.berth.log.CapturedLog;
import dev.berth.store.Store;
import dev.berth.store.StoreException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.slf4j.event.Level;

/** Writes until that fails, then says what still works. Argument: the store's directory. */
final class FailingChild {

  private FailingChild() {}

  public static void main(String... arguments) {
    try (CapturedLog log = CapturedLog.from(Level.ERROR);
        Store store = EmbeddedStore.open(Path.of(arguments[0]), EmbeddedStore.Options.DEFAULT)) {
      var random = new SplittableRandom(1);
      String failure = "";
      while (failure.isEmpty()) {
        failure = put(store, random);
      }
      System.out.println(store.revision());
      System.out.println(failure);
      System.out.println(put(store, random));
      System.out.println(store.get("/k").isPresent() ? "reads" : "lost");
      System.out.println(store.failure().isPresent() ? "shows it" : "looks well");
      log.lines().stream()
          .map(line -> line.component() + ": " + line.message() + " " + (line.cause() != null))
          .forEach(System.out::println);
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
