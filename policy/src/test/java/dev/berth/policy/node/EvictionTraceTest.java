package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.NodeView;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictionTraceTest {
  private static final String READY_SINCE = "2026-01-01T00:00:10Z";
  private static final String TAINTED_AT = "2026-01-01T00:00:20Z";

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ready and never emptied or well again, , , True, " + READY_SINCE,
    "being emptied, unreachable, NoExecute, Unknown, " + TAINTED_AT,
    "being emptied for another reason, not-ready, NoExecute, False, " + TAINTED_AT,
    "lost and waiting for its turn, unreachable, NoSchedule, Unknown, ",
    "somebody else's taint, mine, NoExecute, False, "
  })
  void aNodeTellsWhenItMayHaveGotItsTaint(
      String what, String key, String effect, String ready, String expected) {
    String taint =
        key == null
            ? ""
            : "{'key':'node.kubernetes.io/%s','effect':'%s','timeAdded':'%s'}"
                .formatted(key, effect, TAINTED_AT);
    NodeView node =
        NodeView.read(
            tree(
                ("{'metadata':{'name':'n'},'spec':{'taints':[%s]},'status':{'conditions':"
                        + "[{'type':'Ready','status':'%s','lastTransitionTime':'%s'}]}}")
                    .formatted(taint, ready, READY_SINCE)));
    assertThat(EvictionTrace.of(node).map(Instant::toString).orElse(null)).isEqualTo(expected);
  }
}
