package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store.Guard;
import dev.berth.store.Store.WriteResult;
import dev.berth.store.Store.WriteResult.Conflict;
import dev.berth.store.Store.WriteResult.Prevented;
import dev.berth.store.Store.WriteResult.Written;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The part of {@link StoreContract} that is about guarded writes. */
public abstract class GuardContract extends WatchContract {
  private static final String LEASE = "/leases/leader";

  /** As a leader's writes are guarded: what else stands in its lease does not matter. */
  private static Guard heldBy(String holder) {
    return new Guard(LEASE, entry -> text(entry).startsWith(holder + " "));
  }

  private static WriteResult put(
      Store store, String key, String value, long expected, Guard guard) {
    return store.put(key, bytes(value), expected, null, List.of(guard));
  }

  private static void assertPrevented(WriteResult result, String current) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Prevented.class,
            prevented ->
                assertThat(prevented.current()).map(WatchContract::text).hasValue(current));
  }

  @Test
  void aGuardedWriteHappensWhileItsGuardAccepts() {
    put(LEASE, "a 1");
    Written created = (Written) put(store, "/k", "1", Store.ABSENT, heldBy("a"));
    put(LEASE, "a 2");
    Written updated = (Written) put(store, "/k", "2", created.revision(), heldBy("a"));
    assertThat(text(store.get("/k").orElseThrow())).isEqualTo("2");
    assertThat(put(store, "/k", "3", Store.ANY, heldBy("a"))).isInstanceOf(Written.class);
    assertThat(updated.revision()).isGreaterThan(created.revision());
    assertThat(store.delete("/k", Store.ANY, List.of(heldBy("a")))).isInstanceOf(Written.class);
    assertThat(store.get("/k")).isEmpty();
  }

  @Test
  void aGuardThatDoesNotAcceptPreventsEveryWriteAndTakesNoRevision() {
    long kept = put("/k", "1");
    long before = put(LEASE, "b 1");
    assertPrevented(put(store, "/k", "2", kept, heldBy("a")), "b 1");
    assertPrevented(put(store, "/k", "2", Store.ANY, heldBy("a")), "b 1");
    assertPrevented(put(store, "/new", "2", Store.ABSENT, heldBy("a")), "b 1");
    assertPrevented(store.delete("/k", kept, List.of(heldBy("a"))), "b 1");
    assertPrevented(store.delete("/k", Store.ANY, List.of(heldBy("a"))), "b 1");
    assertThat(store.revision()).isEqualTo(before);
    assertThat(text(store.get("/k").orElseThrow())).isEqualTo("1");
    assertThat(store.get("/new")).isEmpty();
  }

  @Test
  void anAbsentGuardPreventsTheWrite() {
    Guard any = new Guard(LEASE, _ -> true);
    assertThat(put(store, "/k", "1", Store.ANY, any))
        .isEqualTo(new Prevented(any, Optional.empty()));
    put(LEASE, "a 1");
    delete(LEASE);
    assertThat(put(store, "/k", "1", Store.ANY, any))
        .isEqualTo(new Prevented(any, Optional.empty()));
    assertThat(store.get("/k")).isEmpty();
  }

  /** Who lost the lease must hear of that first: there is no use in trying again. */
  @Test
  void thatItIsPreventedCountsMoreThanAConflict() {
    long old = put("/k", "1");
    put("/k", "2");
    put(LEASE, "b 1");
    assertPrevented(put(store, "/k", "3", old, heldBy("a")), "b 1");
    assertPrevented(store.delete("/absent", Store.ANY, List.of(heldBy("a"))), "b 1");
    put(LEASE, "a 2");
    assertThat(put(store, "/k", "3", old, heldBy("a"))).isInstanceOf(Conflict.class);
    assertThat(store.delete("/absent", Store.ANY, List.of(heldBy("a"))))
        .isInstanceOf(Conflict.class);
  }

  @Test
  void everyGuardMustAccept() {
    put(LEASE, "a 1");
    put("/other", "1");
    Guard one = heldBy("a");
    Guard other = new Guard("/other", entry -> text(entry).equals("1"));
    List<Guard> both = List.of(one, other);
    assertThat(store.put("/k", bytes("1"), Store.ANY, null, both)).isInstanceOf(Written.class);
    put("/other", "2");
    assertThat(store.put("/k", bytes("2"), Store.ANY, null, both))
        .isEqualTo(new Prevented(other, store.get("/other")));
    put(LEASE, "b 1");
    assertThat(store.delete("/k", Store.ANY, both)).isEqualTo(new Prevented(one, store.get(LEASE)));
  }

  @Test
  void aKeyCanGuardItself() {
    long first = put(LEASE, "a 1");
    Written second = (Written) put(store, LEASE, "b 1", first, heldBy("a"));
    assertPrevented(put(store, LEASE, "a 2", second.revision(), heldBy("a")), "b 1");
  }

  /**
   * Once another holds the lease, nothing more is written by who held it, whatever is under way.
   */
  @Test
  void nothingIsWrittenAfterTheGuardWasLost() throws Exception {
    put(LEASE, "a 0");
    for (int thread = 0; thread < 8; thread++) { // a writer may begin only after the loss
      put("/k/" + thread, "first");
    }
    long[] lost = new long[1];
    concurrently(
        9,
        thread -> {
          if (thread == 8) {
            for (int renewal = 1; renewal < 20; renewal++) {
              put(LEASE, "a " + renewal);
            }
            lost[0] = put(LEASE, "b 0");
            return;
          }
          WriteResult last;
          do {
            last = put(store, "/k/" + thread, "more", Store.ANY, heldBy("a"));
          } while (last instanceof Written);
          assertPrevented(last, "b 0");
        });
    for (int thread = 0; thread < 8; thread++) {
      assertThat(store.get("/k/" + thread))
          .as("the last write to the key of writer %d", thread)
          .hasValueSatisfying(last -> assertThat(last.revision()).isLessThan(lost[0]));
    }
  }
}
