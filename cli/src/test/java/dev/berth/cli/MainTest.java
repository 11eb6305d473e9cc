package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  @TempDir private Path folder = Path.of("");

  record Ended(int status, String out, String err) {}

  static Ended berth(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> args = Arrays.stream(words).map(Object::toString).toList();
    int status = Main.run(args, new Console(new PrintWriter(out), new PrintWriter(err)));
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
      assertThat(backup).isEqualTo(new Ended(ExitCode.OK, backup.out(), ""));
      assertThat(backup.out()).startsWith("Backed up 1 objects at revision 2 to " + file);
    }
    Ended restore = berth("restore", file, "--data", folder.resolve("new"));
    assertThat(restore.status()).isEqualTo(ExitCode.OK);
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
      assertThat(ended.status()).isEqualTo(ExitCode.FAILED);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err()).startsWith("berth: ").hasLineCount(1);
    }
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(folder.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aTokenFileThatCannotBeReadIsNamedWithItsLine() throws IOException {
    Path tokens = Files.writeString(folder.resolve("tokens.csv"), "good,ann,1\nbad\n");
    Ended ended =
        berth("up", "--port", "0", "--data", folder.resolve("d"), "--token-auth-file", tokens);
    assertThat(ended.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err())
        .startsWith("berth: " + tokens + ", line 2: there must be at least 3 columns")
        .hasLineCount(1);
  }

  @Test
  void aRestoreOverAStoreIsRefused() {
    Path file = folder.resolve("copy");
    open("data").close();
    assertThat(berth("backup", file, "--data", folder.resolve("data")).status()).isZero();
    Ended restore = berth("restore", file, "--data", folder.resolve("data"));
    assertThat(restore.status()).isEqualTo(ExitCode.FAILED);
    assertThat(restore.err()).contains("not empty").hasLineCount(1);
  }

  @Test
  void anUnknownCommandGetsASuggestion() {
    Ended ended = berth("bakcup");
    assertThat(ended.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err()).contains("bakcup", "Did you mean", "backup");
  }

  @Test
  void aMissingFileNameIsSaid() {
    Ended ended = berth("backup");
    assertThat(ended.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err()).isEqualTo("berth: berth backup needs FILE.\n");
  }

  @Test
  void withoutACommandTheHelpIsShown() {
    Ended ended = berth();
    assertThat(ended.status()).isEqualTo(ExitCode.USAGE);
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

  @Test
  void aWrongCommandLineIsAnsweredWithWhatWouldBeRight() {
    record Wrong(String words, String answer) {}
    List.of(
            new Wrong("up --prot 1", "berth up has no option --prot. Did you mean --port?"),
            new Wrong("up --port", "--port needs a value: --port=N."),
            new Wrong("up --port=x", "--port must be a number between 0 and 65535, not \"x\"."),
            new Wrong(
                "up --port 70000", "--port must be a number between 0 and 65535, not \"70000\"."),
            new Wrong("up --port 1 --port 2", "--port is given twice."),
            new Wrong("up now", "berth up does not take the argument \"now\"."),
            new Wrong("version --verbose", "berth version has no option --verbose."),
            new Wrong("backup --data=", "berth backup needs FILE."),
            new Wrong("backup f --data=", "--data must be the name of a file, not \"\"."))
        .forEach(wrong -> {
          Ended ended = berth((Object[]) wrong.words().split(" ", -1));
          assertThat(ended)
              .as(wrong.words())
              .isEqualTo(new Ended(ExitCode.USAGE, "", "berth: " + wrong.answer() + "\n"));
        });
  }

  @Test
  void aNameThatBeginsWithADashComesAfterTwoDashes() {
    Ended ended = berth("restore", "--data", folder.resolve("new"), "--", "-file");
    assertThat(ended.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("-file");
  }

  @Test
  void anAdmissionPluginThatIsUnknownIsRefusedWithThoseThatAreKnown() {
    Ended ended =
        berth("up", "--data", folder.resolve("data"), "--enable-admission-plugins", "Nonsense");
    assertThat(ended.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err()).contains("\"Nonsense\" is unknown", "PodTolerationRestriction");
    assertThat(folder.resolve("data")).doesNotExist();
  }
}
