package dev.berth.cli.server;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.pki.AnyKey;
import dev.berth.pki.Certificates;
import dev.berth.pki.PkiException;
import dev.berth.store.etcd.EtcdConnector.Identity;
import dev.berth.store.etcd.EtcdConnector.Servers;
import dev.berth.store.etcd.EtcdOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of a server that keeps its objects in etcd, under kube-apiserver's names. */
final class EtcdServerOptions {
  private static final Option SERVERS =
      new Option(
          "--etcd-servers",
          "URL,...",
          "Keeps all objects in this etcd (3.4 or later) instead of the data directory, so that"
              + " several servers share them: https://HOST:PORT of its members.");
  private static final Option CA_FILE =
      new Option(
          "--etcd-cafile",
          "FILE",
          "The certificates of who signed those of etcd's members (default: those that Java"
              + " trusts).");
  private static final Option CERT_FILE =
      new Option("--etcd-certfile", "FILE", "The certificate that this server shows to etcd.");
  private static final Option KEY_FILE =
      new Option("--etcd-keyfile", "FILE", "The private key of that certificate.");
  private static final Option PREFIX =
      new Option(
          "--etcd-prefix",
          "PREFIX",
          "What all keys in etcd begin with (default: %s).".formatted(EtcdOptions.DEFAULT_PREFIX));

  private EtcdServerOptions() {}

  static List<Option> options() {
    return List.of(SERVERS, CA_FILE, CERT_FILE, KEY_FILE, PREFIX);
  }

  /** Whether an option is the one that says where the members are. */
  static boolean namesServers(String option) {
    return option.equals(SERVERS.name());
  }

  static Optional<EtcdSettings> read(Arguments arguments) {
    List<String> servers = arguments.list(SERVERS.name());
    if (servers.isEmpty()) {
      for (Option option : List.of(CA_FILE, CERT_FILE, KEY_FILE, PREFIX)) {
        if (arguments.has(option.name())) {
          throw new UsageException(
              "%s has no effect without %s.".formatted(option.name(), SERVERS.name()));
        }
      }
      return Optional.empty();
    }
    if (arguments.has(ServerPlace.EPHEMERAL.name())) {
      throw new UsageException(
          "%s keeps nothing, so it goes without %s."
              .formatted(ServerPlace.EPHEMERAL.name(), SERVERS.name()));
    }
    List<URI> endpoints = servers.stream().map(EtcdServerOptions::endpoint).toList();
    boolean isPlain = endpoints.stream().anyMatch(each -> each.getScheme().equals("http"));
    for (Option option : List.of(CA_FILE, CERT_FILE, KEY_FILE)) {
      if (isPlain && arguments.has(option.name())) {
        throw new UsageException(
            "%s is for TLS: all of %s must begin with https://."
                .formatted(option.name(), SERVERS.name()));
      }
    }
    if (isPlain && endpoints.stream().anyMatch(each -> each.getScheme().equals("https"))) {
      throw new UsageException(
          "%s must all begin with http://, or all with https://.".formatted(SERVERS.name()));
    }
    return Optional.of(
        new EtcdSettings(
            new Servers(
                endpoints,
                arguments
                    .path(CA_FILE.name())
                    .map(EtcdServerOptions::certificates)
                    .orElse(List.of()),
                identity(arguments)),
            prefix(arguments)));
  }

  private static URI endpoint(String text) {
    try {
      URI endpoint = new URI(text);
      String scheme = String.valueOf(endpoint.getScheme());
      String path = String.valueOf(endpoint.getPath());
      if ((scheme.equals("http") || scheme.equals("https"))
          && endpoint.getHost() != null
          && endpoint.getPort() > 0
          && endpoint.getUserInfo() == null
          && endpoint.getQuery() == null
          && endpoint.getFragment() == null
          && (path.isEmpty() || path.equals("/"))) {
        return new URI(scheme, null, endpoint.getHost(), endpoint.getPort(), null, null, null);
      }
    } catch (URISyntaxException e) {
      // Told below, with what would be right.
    }
    throw new UsageException(
        "%s must be URLs such as https://10.0.0.1:2379, not \"%s\"."
            .formatted(SERVERS.name(), text));
  }

  private static List<X509Certificate> certificates(Path file) {
    try {
      return Certificates.read(file);
    } catch (PkiException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Identity> identity(Arguments arguments) {
    Optional<Path> certificate = arguments.path(CERT_FILE.name());
    Optional<Path> key = arguments.path(KEY_FILE.name());
    if (certificate.isPresent() != key.isPresent()) {
      throw new UsageException(
          "%s and %s are given together or not at all."
              .formatted(CERT_FILE.name(), KEY_FILE.name()));
    }
    try {
      Optional<Identity> identity =
          certificate.map(file -> new Identity(certificates(file), AnyKey.read(key.orElseThrow())));
      identity
          .filter(own -> !AnyKey.mayBeOf(own.chain().getFirst(), own.key()))
          .ifPresent(_ -> {
            throw new UsageException(
                "The key in %s (%s) is not that of the first certificate in %s (%s)."
                    .formatted(
                        key.orElseThrow(),
                        KEY_FILE.name(),
                        certificate.orElseThrow(),
                        CERT_FILE.name()));
          });
      return identity;
    } catch (PkiException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Begins with a slash and does not end in one, however it was written. */
  private static String prefix(Arguments arguments) {
    String given = arguments.text(PREFIX.name()).orElse(EtcdOptions.DEFAULT_PREFIX);
    List<String> steps = Stream.of(given.split("/", -1)).filter(step -> !step.isEmpty()).toList();
    if (steps.isEmpty() || steps.contains(".") || steps.contains("..")) {
      throw new UsageException(
          "%s must name something, such as %s, not \"%s\"."
              .formatted(PREFIX.name(), EtcdOptions.DEFAULT_PREFIX, given));
    }
    return "/" + String.join("/", steps);
  }
}
