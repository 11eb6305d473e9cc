package dev.berth.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.LocalServer;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program through the official Python client, in a process of its own that is told which step
 * to do. The steps are the functions of {@code program.py}.
 */
class OfficialPythonTest implements Program {
  /** Debian's, which has the library: another one may come first on the path. */
  static final String PYTHON = "/usr/bin/python3";

  @TempDir static Path directory;
  private static LocalServer server;
  private static Process python;
  private static BufferedReader answers;
  private static BufferedWriter questions;

  @BeforeAll
  static void start() throws Exception {
    server = LocalServer.open(directory);
    Path script =
        Path.of(Objects.requireNonNull(OfficialPythonTest.class.getResource("program.py")).toURI());
    python =
        new ProcessBuilder(PYTHON, script.toString(), server.kubeconfig().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = python.inputReader(UTF_8);
    questions = python.outputWriter(UTF_8);
  }

  @AfterAll
  static void stop() throws Exception {
    questions.close();
    assertThat(python.waitFor()).isZero();
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> program() {
    return steps();
  }

  private static void say(String line) throws IOException {
    questions.write(line + "\n");
    questions.flush();
  }

  private static void step(String name) throws IOException {
    say(name);
    String answer = answers.readLine();
    if ("restart".equals(answer)) {
      server.restart();
      say("restarted");
      answer = answers.readLine();
    }
    assertThat(answer)
        .as("python3 with the Debian package python3-kubernetes, in %s", name)
        .isEqualTo("ok");
  }

  @Override
  public void usesCustomResources() throws Exception {
    step("uses_custom_resources");
  }

  @Override
  public void createsAndReadsBack() throws Exception {
    step("creates_and_reads_back");
  }

  @Override
  public void generatesNames() throws Exception {
    step("generates_names");
  }

  @Override
  public void explainsErrors() throws Exception {
    step("explains_errors");
  }

  @Override
  public void listsBySelectors() throws Exception {
    step("lists_by_selectors");
  }

  @Override
  public void listsInPages() throws Exception {
    step("lists_in_pages");
  }

  @Override
  public void watchesInOrder() throws Exception {
    step("watches_in_order");
  }

  @Override
  public void refusesStaleUpdates() throws Exception {
    step("refuses_stale_updates");
  }

  @Override
  public void patchesWithJson() throws Exception {
    step("patches_with_json");
  }

  @Override
  public void patchesWithMerge() throws Exception {
    step("patches_with_merge");
  }

  @Override
  public void patchesStrategically() throws Exception {
    step("patches_strategically");
  }

  @Override
  public void appliesServerSide() throws Exception {
    step("applies_server_side");
  }

  @Override
  public void writesStatusApart() throws Exception {
    step("writes_status_apart");
  }

  @Override
  public void rehearses() throws Exception {
    step("rehearses");
  }

  @Override
  public void deletesAsAsked() throws Exception {
    step("deletes_as_asked");
  }

  @Override
  public void deletesCollections() throws Exception {
    step("deletes_collections");
  }

  @Override
  public void informsOfEverything() throws Exception {
    step("informs_of_everything");
  }

  @Override
  public void survivesRestart() throws Exception {
    step("survives_restart");
  }
}
