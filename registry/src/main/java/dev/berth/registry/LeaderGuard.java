package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.Guard;
import dev.berth.store.Store.WriteResult.Prevented;
import java.util.Optional;

/**
 * Lets a request write only while its sender leads: the store compares the lease at the moment of
 * each write.
 *
 * <p>It goes with the thread that answers the request, and not from call to call, so that nothing
 * can slip past it: whatever the request writes on its way, such as the address of a service or the
 * status of a quota or a budget, is guarded like the object itself. A request is answered by one
 * thread.
 */
final class LeaderGuard {
  private static final ScopedValue<Optional<LeaderGuard>> CURRENT = ScopedValue.newInstance();

  private final LeaderTerm term;
  private final Resource leases;
  private final Guard guard;

  LeaderGuard(LeaderTerm term, Resource leases) {
    this.term = term;
    this.leases = leases;
    guard = new Guard(ObjectKeys.of(leases, term.lease()), lease -> held(lease).equals(term));
  }

  private LeaderTerm held(Entry lease) {
    return LeaderTerm.of(StoredEncoding.tree(leases, lease));
  }

  /** The guard of what is written now, if there is one. */
  static Optional<LeaderGuard> current() {
    return CURRENT.orElse(Optional.empty());
  }

  <X extends Throwable> void run(ScopedValue.CallableOp<?, X> request) throws X {
    var _ = ScopedValue.where(CURRENT, Optional.of(this)).call(request);
  }

  /** What was set aside for a write is given back, whoever leads meanwhile. */
  static void lifted(Runnable settlement) {
    if (current().isEmpty()) {
      settlement.run();
    } else {
      ScopedValue.where(CURRENT, Optional.empty()).run(settlement);
    }
  }

  /** What the store compares. */
  Guard guard() {
    return guard;
  }

  /** Refuses at once what the store would refuse in the end. */
  void check(Store store) {
    if (!guard.accepts(store.get(guard.key()))) {
      store.sync();
      Optional<Entry> lease = store.get(guard.key());
      if (!guard.accepts(lease)) {
        throw refusal(lease);
      }
    }
  }

  /** Refuses a write that was prevented by the guard of its leader. */
  @SuppressWarnings("ReferenceEquality") // Guards are known by themselves.
  static void check(Prevented prevented) {
    current()
        .filter(leader -> leader.guard == prevented.guard())
        .ifPresent(leader -> {
          throw leader.refusal(prevented.current());
        });
  }

  private StatusException refusal(Optional<Entry> lease) {
    return Failures.termIsOver(term, lease.map(this::held));
  }
}
