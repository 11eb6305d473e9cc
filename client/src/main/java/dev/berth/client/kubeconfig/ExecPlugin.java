package dev.berth.client.kubeconfig;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that gives tokens: client.authentication.k8s.io, v1 and v1beta1. It is run when there
 * is no token yet, and again when the one that it gave has expired. Programs that give certificates
 * are refused.
 */
final class ExecPlugin implements TokenSource {
  private static final String GROUP = "client.authentication.k8s.io/";
  private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

  private final JsonObject exec;
  private final String apiVersion;
  private final List<String> command;
  private String token = "";
  private @Nullable Instant expires;

  private ExecPlugin(JsonObject exec, String apiVersion, List<String> command) {
    this.exec = exec;
    this.apiVersion = apiVersion;
    this.command = command;
  }

  static ExecPlugin of(JsonObject exec, Path file, String where) {
    String problem = "The kubeconfig %s cannot be used: the exec of %s ".formatted(file, where);
    String version = exec.text("apiVersion", "");
    if (!VERSIONS.contains(version)) {
      throw new ConnectionException(
          problem + "has the apiVersion \"" + version + "\"; it should be " + GROUP + "v1.");
    }
    String program = exec.text("command", "");
    if (program.isEmpty()) {
      throw new ConnectionException(problem + "names no command.");
    }
    List<String> command = new ArrayList<>();
    boolean path = program.contains("/");
    command.add(path ? file.toAbsolutePath().resolveSibling(program).toString() : program);
    command.addAll(exec.array("args").texts());
    return new ExecPlugin(exec, version, List.copyOf(command));
  }

  @Override
  public synchronized String token(Instant now) {
    if (token.isEmpty() || (expires != null && !expires.isAfter(now))) {
      JsonObject status = run();
      token = status.text("token", "");
      String expiry = status.text("expirationTimestamp", "");
      expires = expiry.isEmpty() ? null : Times.parse(expiry);
      if (token.isEmpty()) {
        throw new ConnectionException(
            "The credential plugin %s gave no token%s."
                .formatted(
                    command.getFirst(),
                    status.has("clientCertificateData")
                        ? ", but a certificate, which is not supported"
                        : ""));
      }
    }
    return token;
  }

  private JsonObject run() {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    JsonObject info =
        new JsonObject.Builder()
            .put("kind", "ExecCredential")
            .put("apiVersion", apiVersion)
            .put("spec", JsonObject.of("interactive", false))
            .build();
    builder.environment().put("KUBERNETES_EXEC_INFO", info.toString());
    for (JsonObject variable : exec.array("env").objects()) {
      builder.environment().put(variable.text("name", ""), variable.text("value", ""));
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      byte[] out = process.getInputStream().readAllBytes();
      int code = process.waitFor();
      if (code != 0) {
        throw new ConnectionException(
            "The credential plugin %s failed with code %d.".formatted(command.getFirst(), code));
      }
      return JsonReader.object(out, JsonLimits.REQUEST).object("status");
    } catch (IOException e) {
      String hint = exec.text("installHint", "");
      throw new ConnectionException(
          "The credential plugin %s cannot be run (%s).%s"
              .formatted(command.getFirst(), e.getMessage(), hint.isEmpty() ? "" : " " + hint),
          e);
    } catch (JsonException e) {
      throw new ConnectionException(
          "The credential plugin %s did not print an ExecCredential: %s."
              .formatted(command.getFirst(), e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectionException("The credential plugin was interrupted.", e);
    }
  }
}
