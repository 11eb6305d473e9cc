package dev.berth.apiserver;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.Api;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests that drive a server in this process with the real {@code kubectl}, over TLS. */
abstract class WithKubectl {
  @TempDir static Path directory;

  private static LocalServer server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server = LocalServer.open(directory);
    kubectl = new Kubectl(directory, server.kubeconfig());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What is stored, seen from inside. */
  static Registry registry() {
    return server.registry();
  }

  /** The server as a component in its process sees it that may do everything. */
  static Api api() {
    return server.api(User.authenticated("admin", List.of("system:masters")), "test");
  }

  /** What kubectl says, whether it likes it or not. */
  static String kubectl(String... arguments) {
    return kubectl.run(arguments);
  }

  static Kubectl.Result result(String... arguments) {
    return kubectl.result(arguments);
  }

  static Process begin(String... arguments) {
    return kubectl.begin(arguments);
  }

  /** A value of an object, by its path. */
  static String value(String kind, String name, String path) {
    return kubectl.run("get", kind, name, "-o", "jsonpath={" + path + "}");
  }

  static String manifest(String name, String yaml) {
    return kubectl.file(name, yaml);
  }

  static String configMap(String name, String value) {
    return manifest(
        name + ".yaml",
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: %s, labels: {of: %s}}
        data: {key: "%s"}
        """
            .formatted(name, name, value));
  }

  static String pod(String name) {
    return manifest(
        name + ".yaml",
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, labels: {app: %s}}
        spec: {containers: [{name: main, image: old-image}]}
        """
            .formatted(name, name));
  }

  static String node(String name, String zone) {
    return manifest(
        name + ".yaml",
        "apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {zone: %s}}\n"
            .formatted(name, zone));
  }

  static String deployment(String name, int replicas) {
    return manifest(
        name + ".yaml",
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s, labels: {app: %1$s}}
        spec:
          replicas: %2$d
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec: {containers: [{name: main, image: old-image}]}
        """
            .formatted(name, replicas));
  }
}
