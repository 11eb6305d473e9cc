package dev.berth.serving.rest;

import dev.berth.http.Exchange;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.registry.Registry;
import dev.berth.registry.status.Failures;
import java.util.List;
import java.util.Set;

/** Requests that say that they are a leader's, and by what right. Only writes are concerned. */
final class LeaderRequests {
  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  private final Registry registry;

  LeaderRequests(Registry registry) {
    this.registry = registry;
  }

  /** Answers a request, and has it write only while its sender leads, if it says that it does. */
  void answer(Exchange exchange, String verb, ScopedValue.CallableOp<?, InterruptedException> rest)
      throws InterruptedException {
    List<String> said = WRITES.contains(verb) ? exchange.headers(LeaderTerm.HEADER) : List.of();
    if (said.isEmpty()) {
      var _ = rest.call();
      return;
    }
    LeaderTerm term =
        LeaderTerm.parse(String.join(" ", said))
            .orElseThrow(() ->
                Failures.badRequest(
                    "the header %s is \"%s\": it must be NAMESPACE/NAME of a lease, its"
                            .formatted(LeaderTerm.HEADER, String.join(", ", said))
                        + " leaseTransitions and its holderIdentity, URL-encoded"));
    registry.whileLeading(term, rest);
  }
}
