package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which secrets a pod uses; and for an account whose annotation asks for it, that they are among
 * those which the account lists.
 */
final class MountableSecrets {
  private static final String ENFORCED = "kubernetes.io/enforce-mountable-secrets";

  private MountableSecrets() {}

  /** Whether a pod uses any secret. */
  static boolean references(JsonObject spec) {
    return !spec.array("imagePullSecrets").isEmpty()
        || volumes(spec).anyMatch(volume -> volume.has("secret"))
        || volumes(spec)
            .flatMap(volume -> volume.object("projected").array("sources").objects().stream())
            .anyMatch(source -> source.has("secret"))
        || containers(spec)
            .anyMatch(container ->
                container.array("envFrom").objects().stream().anyMatch(e -> e.has("secretRef"))
                    || variables(container)
                        .anyMatch(e -> e.object("valueFrom").has("secretKeyRef")));
  }

  /** What is wrong with a pod of an account that wants to know its secrets. */
  static Optional<String> problem(JsonObject account, JsonObject spec) {
    Metadata metadata = Metadata.of(account);
    if (!metadata.annotation(ENFORCED).orElse("").equals("true")) {
      return Optional.empty();
    }
    Set<String> mountable = names(account, "secrets");
    Stream<String> problems =
        Stream.concat(
            volumes(spec)
                .filter(volume -> volume.has("secret"))
                .map(volume -> volume.object("secret").text("secretName", ""))
                .filter(secret -> !mountable.contains(secret))
                .map(secret ->
                    "volume with secret.secretName=\"%s\" is not allowed because service account %s does not reference that secret"
                        .formatted(secret, metadata.name())),
            containers(spec).flatMap(container -> problems(container, mountable, metadata.name())));
    Set<String> pulling = names(account, "imagePullSecrets");
    List<JsonObject> pulls = spec.array("imagePullSecrets").objects();
    Stream<String> pullProblems =
        pulls.stream()
            .filter(pull -> !pulling.contains(pull.text("name", "")))
            .map(pull ->
                "imagePullSecrets[%d].name=\"%s\" is not allowed because service account %s does not reference that imagePullSecret"
                    .formatted(pulls.indexOf(pull), pull.text("name", ""), metadata.name()));
    return Stream.concat(problems, pullProblems).findFirst();
  }

  private static Stream<String> problems(
      JsonObject container, Set<String> mountable, String account) {
    return variables(container)
        .filter(variable -> variable.object("valueFrom").has("secretKeyRef"))
        .filter(variable -> !mountable.contains(secretOf(variable)))
        .map(variable ->
            "container %s with envVar %s referencing secret.secretName=\"%s\" is not allowed because service account %s does not reference that secret"
                .formatted(
                    container.text("name", ""),
                    variable.text("name", ""),
                    secretOf(variable),
                    account));
  }

  private static String secretOf(JsonObject variable) {
    return variable.object("valueFrom").object("secretKeyRef").text("name", "");
  }

  private static Set<String> names(JsonObject account, String list) {
    return account.array(list).objects().stream()
        .map(reference -> reference.text("name", ""))
        .collect(Collectors.toSet());
  }

  private static Stream<JsonObject> volumes(JsonObject spec) {
    return spec.array("volumes").objects().stream();
  }

  private static Stream<JsonObject> variables(JsonObject container) {
    return container.array("env").objects().stream();
  }

  private static Stream<JsonObject> containers(JsonObject spec) {
    return Stream.of("initContainers", "containers")
        .flatMap(list -> spec.array(list).objects().stream());
  }
}
