package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  @TempDir private Path folder = Path.of("");

  record Ended(int status, String out, String err) {}

  static Ended berth(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    int status = commandLine.execute(args);
    return new Ended(status, out.toString(), err.toString());
  }

  private Store open(String name) {
    return EmbeddedStore.open(folder.resolve(name), EmbeddedStore.Options.DEFAULT);
  }

  @Test
  void aBackupOfARunningStoreComesBackInAnEmptyDirectory() {
    Path file = folder.resolve("copy");
    try (Store running = open("data")) {
      running.put("/registry/pods/default/web", "{}".getBytes(UTF_8), Store.ABSENT);
      Ended backup = berth("backup", file, "--data", folder.resolve("data"));
      assertThat(backup).isEqualTo(new Ended(Main.OK, backup.out(), ""));
      assertThat(backup.out()).startsWith("Copied 1 objects at revision 2 to " + file);
    }
    Ended restore = berth("restore", file, "--data", folder.resolve("new"));
    assertThat(restore.status()).isEqualTo(Main.OK);
    try (Store restored = open("new")) {
      assertThat(restored.get("/registry/pods/default/web"))
          .hasValueSatisfying(entry -> assertThat(entry.value()).isEqualTo("{}".getBytes(UTF_8)));
    }
  }

  @Test
  void failuresThatAUserCanMendAreOneSentenceOnStandardError() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "this is no backup");
    Ended noStore = berth("backup", folder.resolve("b"), "--data", folder.resolve("nowhere"));
    Ended noBackup = berth("restore", text, "--data", folder.resolve("new"));
    Ended noFile = berth("restore", folder.resolve("absent"), "--data", folder.resolve("new"));
    for (Ended ended : new Ended[] {noStore, noBackup, noFile}) {
      assertThat(ended.status()).isEqualTo(Main.FAILED);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err()).startsWith("berth: ").hasLineCount(1);
    }
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(folder.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aRestoreOverAStoreIsRefused() {
    Path file = folder.resolve("copy");
    open("data").close();
    assertThat(berth("backup", file, "--data", folder.resolve("data")).status()).isZero();
    Ended restore = berth("restore", file, "--data", folder.resolve("data"));
    assertThat(restore.status()).isEqualTo(Main.FAILED);
    assertThat(restore.err()).contains("not empty").hasLineCount(1);
  }

  @Test
  void anUnknownCommandGetsASuggestion() {
    Ended ended = berth("bakcup");
    assertThat(ended.status()).isEqualTo(Main.USAGE);
    assertThat(ended.err()).contains("bakcup", "Did you mean", "backup");
  }

  @Test
  void aMissingFileNameIsSaid() {
    Ended ended = berth("backup");
    assertThat(ended.status()).isEqualTo(Main.USAGE);
    assertThat(ended.err()).contains("Missing required parameter: 'FILE'");
  }

  @Test
  void withoutACommandTheHelpIsShown() {
    Ended ended = berth();
    assertThat(ended.status()).isEqualTo(Main.USAGE);
    assertThat(ended.err()).contains("up", "backup", "restore", "version");
  }

  @Test
  void everyCommandHasHelp() {
    for (String command : new String[] {"up", "backup", "restore", "version"}) {
      assertThat(berth(command, "--help"))
          .satisfies(ended -> assertThat(ended.status()).isZero())
          .satisfies(ended -> assertThat(ended.out()).contains("Usage: berth " + command));
    }
  }
}
