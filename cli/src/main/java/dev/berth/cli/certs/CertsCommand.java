package dev.berth.cli.certs;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Inventory;
import dev.berth.pki.ServerNames;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Shows, renews and rotates a cluster's own certificates and keys. It works on the files of the
 * data directory; a server that runs there notices within seconds.
 */
public final class CertsCommand implements Command {
  private static final List<String> VERBS = List.of("show", "renew", "rotate");
  private static final List<String> RENEWED = List.of("server", "admin", "all");
  private static final String NOTICED = "A server that is running uses it within 10 seconds.";

  @Override
  public String name() {
    return "certs";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Shows, renews and rotates the cluster's own certificates and keys, without an outage.",
        "berth certs show lists the certificates, when they expire, and how far rotations are.",
        "berth certs renew server|admin|all issues new certificates; Berth does so by itself 30 days"
            + " before they expire.",
        "berth certs rotate ca|service-account-key STEP replaces the key of the certificate"
            + " authority, or the one that signs the tokens of service accounts. The steps are, in"
            + " this order:",
        "prepare makes a new key that is trusted beside the old one, which still signs;",
        "switch has the new key sign; what the old one signed stays valid;",
        "finish ends the trust in the old key.",
        "cancel undoes prepare.");
  }

  @Override
  public List<Option> options() {
    return List.of(DataOption.OPTION);
  }

  @Override
  public List<String> parameters() {
    return List.of("VERB");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("WHAT", "STEP");
  }

  @Override
  public int run(Arguments arguments, Console console) {
    Path pki = DataOption.directory(arguments).resolve("pki");
    List<String> words = arguments.parameters();
    List<String> rest = words.subList(1, words.size());
    try (WallTime time = Running.time()) {
      Instant now = time.now();
      switch (words.getFirst()) {
        case "show" -> {
          most(0, "show", rest);
          show(pki, now, console);
        }
        case "renew" -> {
          most(1, "renew", rest);
          renew(pki, rest, now, console);
        }
        case "rotate" -> new RotateVerb(pki, console).run(rest, now);
        default -> throw unknown("verb", words.getFirst(), VERBS);
      }
    }
    return ExitCode.OK;
  }

  private static void most(int count, String verb, List<String> words) {
    if (words.size() > count) {
      throw new UsageException(
          "berth certs %s does not take the argument \"%s\".".formatted(verb, words.get(count)));
    }
  }

  static UsageException unknown(String what, String word, List<String> known) {
    return new UsageException(
        "Unknown %s \"%s\".%s Known: %s."
            .formatted(what, word, Suggestion.of(word, known), String.join(", ", known)));
  }

  private static void show(Path pki, Instant now, Console console) {
    String row = "%-12s %-14s %-22s %-10s %s%n";
    console.out().printf(row, "CERTIFICATE", "USE", "EXPIRES", "REMAINING", "SUBJECT");
    for (Inventory.Entry entry : Inventory.read(pki)) {
      Duration left = Duration.between(now, entry.expires());
      console
          .out()
          .printf(
              row,
              entry.name(),
              entry.purpose().isEmpty() ? "-" : entry.purpose(),
              entry.expires(),
              left.isNegative() ? "expired" : left.toDays() + "d",
              entry.subject());
    }
    RotateVerb.show(pki, console);
  }

  private static void renew(Path pki, List<String> words, Instant now, Console console) {
    String what = words.isEmpty() ? "all" : words.getFirst();
    if (!RENEWED.contains(what)) {
      throw unknown("certificate", what, RENEWED);
    }
    ClusterCa authority = ClusterCa.reopen(pki, now);
    if (!what.equals("admin")) {
      var server =
          authority.renewServer(ServerNames.of(ServerNames.ofThisMachine()), now).certificate();
      console
          .out()
          .printf(
              "Renewed the server's certificate, until %s.%n", server.getNotAfter().toInstant());
    }
    if (!what.equals("server")) {
      var admin = authority.renewAdministrator(now).certificate();
      console
          .out()
          .printf(
              "Renewed the administrator's certificate, until %s; the kubeconfig follows.%n",
              admin.getNotAfter().toInstant());
    }
    console.out().println(NOTICED);
  }
}
