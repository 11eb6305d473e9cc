package dev.berth.client.kubeconfig;

import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads kubeconfig files. Paths in a file are relative to it, as everywhere; data within it goes
 * before files that it names.
 *
 * <p>A cluster with several servers has the others in an extension, which other clients ignore:
 *
 * <pre>
 * server: https://10.0.0.1:6443
 * extensions:
 * - name: berth.dev/servers
 *   extension: {servers: [https://10.0.0.2:6443, https://10.0.0.3:6443]}
 * </pre>
 */
public final class Kubeconfig {
  private static final String OTHER_SERVERS = "berth.dev/servers";

  private final Path file;
  private final JsonObject config;

  private Kubeconfig(Path file, JsonObject config) {
    this.file = file;
    this.config = config;
  }

  /**
   * Reads a file.
   *
   * @throws ConnectionException if it is not there or no kubeconfig
   */
  public static Kubeconfig read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new ConnectionException(
          "The kubeconfig %s cannot be read (%s).".formatted(file, reason(e)), e);
    }
    try {
      Object value = YamlReader.value(bytes, JsonLimits.REQUEST, _ -> {});
      if (value instanceof JsonObject config && config.text("kind", "Config").equals("Config")) {
        return new Kubeconfig(file, config);
      }
      throw new ConnectionException(
          "%s is no kubeconfig: it should say \"kind: Config\".".formatted(file));
    } catch (YamlException | JsonException e) {
      throw new ConnectionException("%s is no kubeconfig: %s.".formatted(file, e.getMessage()), e);
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException
        ? "there is no such file"
        : String.valueOf(e.getMessage());
  }

  /** The connection of the current context. */
  public Connection connection() {
    String current = text(config, "current-context", "");
    if (current.isEmpty()) {
      throw problem("it names no current-context, so a context has to be chosen");
    }
    return connection(current);
  }

  /**
   * The connection of a context.
   *
   * @throws ConnectionException if something of it is missing or cannot be read
   */
  public Connection connection(String name) {
    JsonObject context = named("contexts", "context", name);
    String clusterName = text(context, "cluster", "");
    if (clusterName.isEmpty()) {
      throw problem("the context \"%s\" names no cluster".formatted(name));
    }
    JsonObject cluster = named("clusters", "cluster", clusterName);
    String userName = text(context, "user", "");
    JsonObject user = userName.isEmpty() ? JsonObject.EMPTY : named("users", "user", userName);
    return new Connection(
        servers(cluster, clusterName),
        trust(cluster, "clusters \"" + clusterName + "\""),
        identity(user, "users \"" + userName + "\""),
        text(context, "namespace", "default"));
  }

  /**
   * How to prove to a server who we are, by the user that is named after it, as an API server does
   * for webhooks: {@code name:port}, then {@code *.} and what follows a dot of that, the same
   * without the port if it is 443, then {@code *}, then the user of the current context.
   */
  public Identity identityFor(String target) {
    List<String> names = new ArrayList<>(namesOf(target));
    if (target.endsWith(":443")) {
      names.addAll(namesOf(target.substring(0, target.length() - ":443".length())));
    }
    names.add("*");
    String current = text(config, "current-context", "");
    if (!current.isEmpty()) {
      names.add(text(named("contexts", "context", current), "user", ""));
    }
    List<String> known =
        config.array("users").objects().stream().map(user -> user.text("name", "")).toList();
    return names.stream()
        .filter(known::contains)
        .findFirst()
        .map(name -> identity(named("users", "user", name), "users \"" + name + "\""))
        .orElseGet(Identity.Anonymous::new);
  }

  private static List<String> namesOf(String target) {
    List<String> names = new ArrayList<>(List.of(target));
    for (int dot = target.indexOf('.'); dot >= 0; dot = target.indexOf('.', dot + 1)) {
      names.add("*" + target.substring(dot));
    }
    return names;
  }

  private JsonObject named(String list, String element, String name) {
    List<JsonObject> all;
    try {
      all = config.array(list).objects();
      for (JsonObject one : all) {
        if (one.text("name", "").equals(name)) {
          return one.object(element);
        }
      }
    } catch (JsonException | ClassCastException e) {
      throw problem("\"%s\" is no list of named objects".formatted(list));
    }
    List<String> names = all.stream().map(one -> one.text("name", "")).toList();
    throw problem(
        "there is no %s \"%s\"; there are %s"
            .formatted(element, name, names.isEmpty() ? "none" : String.join(", ", names)));
  }

  private List<URI> servers(JsonObject cluster, String name) {
    String first = text(cluster, "server", "");
    if (first.isEmpty()) {
      throw problem("the cluster \"%s\" names no server".formatted(name));
    }
    Set<URI> servers = new LinkedHashSet<>(List.of(server(first, name)));
    try {
      for (JsonObject extension : cluster.array("extensions").objects()) {
        if (extension.text("name", "").equals(OTHER_SERVERS)) {
          List<String> others = extension.object("extension").array("servers").texts();
          others.forEach(other -> servers.add(server(other, name)));
        }
      }
    } catch (JsonException | ClassCastException e) {
      throw problem(
          "the extension %s of the cluster \"%s\" should say \"servers:\" and a list of addresses"
              .formatted(OTHER_SERVERS, name));
    }
    return List.copyOf(servers);
  }

  private URI server(String server, String name) {
    try {
      URI uri = new URI(server.contains("://") ? server : "https://" + server);
      boolean http = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      if (http && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw problem(
        "the server \"%s\" of the cluster \"%s\" is no address such as https://10.0.0.1:6443"
            .formatted(server, name));
  }

  private Trust trust(JsonObject cluster, String where) {
    Optional<String> serverName = Optional.ofNullable(cluster.text("tls-server-name"));
    Optional<String> authorities = material(cluster, "certificate-authority", where);
    if (cluster.flag("insecure-skip-tls-verify", false)) {
      if (authorities.isPresent()) {
        throw problem(
            where
                + " says both certificate-authority and insecure-skip-tls-verify; one of them has"
                + " to go");
      }
      return new Trust.Anything();
    }
    return authorities.isEmpty()
        ? new Trust.Machine(serverName)
        : new Trust.Authorities(
            certificates(authorities.get(), "certificate-authority", where), serverName);
  }

  private Identity identity(JsonObject user, String where) {
    Optional<String> certificate = material(user, "client-certificate", where);
    Optional<String> key = material(user, "client-key", where);
    if (certificate.isPresent() != key.isPresent()) {
      throw problem(
          "%s has a %s without a %s"
              .formatted(
                  where,
                  key.isPresent() ? "client-key" : "client-certificate",
                  key.isPresent() ? "client-certificate" : "client-key"));
    }
    if (certificate.isPresent() && key.isPresent()) {
      try {
        return new Identity.Certificate(
            certificates(certificate.get(), "client-certificate", where),
            PemText.privateKey(key.get()));
      } catch (GeneralSecurityException e) {
        throw problem("the client-key of %s cannot be used: %s".formatted(where, e.getMessage()));
      }
    }
    String token = text(user, "token", "");
    String tokenFile = text(user, "tokenFile", "");
    if (!tokenFile.isEmpty()) {
      return new Identity.Token(TokenSource.file(resolved(tokenFile)));
    }
    if (!token.isEmpty()) {
      return new Identity.Token(TokenSource.fixed(token));
    }
    String name = text(user, "username", "");
    if (!name.isEmpty()) {
      return new Identity.Password(name, text(user, "password", ""));
    }
    if (user.has("exec")) {
      return new Identity.Token(ExecPlugin.of(user.object("exec"), file, where));
    }
    if (user.has("auth-provider")) {
      throw problem(
          where + " uses an auth-provider, which no client supports any more; use exec instead");
    }
    return new Identity.Anonymous();
  }

  private List<X509Certificate> certificates(String text, String field, String where) {
    try {
      return PemText.certificates(text);
    } catch (GeneralSecurityException e) {
      throw problem("the %s of %s cannot be used: %s".formatted(field, where, e.getMessage()));
    }
  }

  /** The text of a field of the data, or of the file that another field names. */
  private Optional<String> material(JsonObject object, String field, String where) {
    String data = text(object, field + "-data", "");
    if (!data.isEmpty()) {
      try {
        byte[] decoded = Base64.getMimeDecoder().decode(data);
        return Optional.of(new String(decoded, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw problem("the %s-data of %s is no base64".formatted(field, where));
      }
    }
    String path = text(object, field, "");
    if (path.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(resolved(path)));
    } catch (IOException e) {
      throw problem(
          "the %s of %s, %s, cannot be read (%s)".formatted(field, where, path, reason(e)));
    }
  }

  private Path resolved(String path) {
    return file.toAbsolutePath().resolveSibling(path);
  }

  private String text(JsonObject object, String field, String whenAbsent) {
    try {
      return object.text(field, whenAbsent);
    } catch (JsonException e) {
      throw problem(String.valueOf(e.getMessage()));
    }
  }

  private ConnectionException problem(String what) {
    return new ConnectionException("The kubeconfig %s cannot be used: %s.".formatted(file, what));
  }
}
