package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth forecast --watch} beside a cluster that changes. */
class ForecastWatchTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void whateverChangesIsForecastAnew() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0, "--hollow=2")) {
      berth.await("create", "node/hollow-1");
      berth.awaitNodes();
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      List<String> words =
          List.of("forecast", "drain", "hollow-0", "--watch", "--kubeconfig=" + berth.kubeconfig());
      Thread watch =
          Thread.ofVirtual()
              .start(
                  () -> Main.run(words, new Console(new PrintWriter(out), new PrintWriter(err))));
      Await.until("the first forecast", () -> out.toString().startsWith("1 node: 0 pods leave"));
      berth.said(
          "run",
          "new",
          "--image=any",
          "--restart=Never",
          "--overrides={\"spec\":{\"nodeName\":\"hollow-0\"}}");
      Await.until("the next", () -> out.toString().contains("1 node: 1 pod leaves"));
      assertThat(out.toString()).contains("default/new", "the drain evicts it");
      watch.interrupt();
      watch.join();
    }
  }
}
