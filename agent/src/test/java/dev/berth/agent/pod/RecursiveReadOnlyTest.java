package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.runtime.RuntimeHandler;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of volumes that are to be read-only with all that is mounted in them. */
final class RecursiveReadOnlyTest {
  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root).start();
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void pod(String mode) {
    node.pod(
        "web",
        "{'volumes':[{'name':'v','emptyDir':{}}],'containers':[{'name':'c','image':'i','volumeMounts':[{'name':'v','mountPath':'/v','readOnly':true,'recursiveReadOnly':'%s'}]}]}"
            .formatted(mode));
  }

  private String shown() {
    return node.container("web", "c")
        .array("volumeMounts")
        .objects()
        .getFirst()
        .text("recursiveReadOnly", "");
  }

  @ParameterizedTest(name = "{0}, where the runtime can do it: {1}, is {2}")
  @CsvSource({
    "Enabled, true, Enabled",
    "IfPossible, true, Enabled",
    "Disabled, true, Disabled",
    "IfPossible, false, Disabled",
    "Disabled, false, Disabled",
  })
  void theStatusSaysWhatIsSo(String mode, boolean isSupported, String shown) {
    node.runtime().handlers(new RuntimeHandler("", isSupported, false));
    pod(mode);
    assertThat(node.state("web", "c")).isEqualTo("running");
    assertThat(shown()).isEqualTo(shown);
  }

  @Test
  void aRuntimeThatDoesNotNameItsHandlersCannotDoIt() {
    pod("IfPossible");
    assertThat(shown()).isEqualTo("Disabled");
  }

  @Test
  void whatMustBeAndCannotBeIsNotStarted() {
    node.runtime().handlers(new RuntimeHandler("", false, false));
    pod("Enabled");
    assertThat(node.state("web", "c")).isEqualTo("CreateContainerConfigError");
    assertThat(node.events("web"))
        .contains(
            "Failed: Error: failed to resolve recursive read-only mode: volume \"v\" requested"
                + " recursive read-only mode, but it is not supported by the runtime");
  }
}
