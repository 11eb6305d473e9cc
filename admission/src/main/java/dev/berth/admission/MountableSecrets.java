package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * For an account whose annotation asks for it: a pod's secrets are among those which the account
 * lists, wherever the pod uses them. Upstream forgets those of projected volumes.
 *
 * @param account the account's name
 * @param mountable the secrets that it lists
 * @param pulling the secrets that it lists for pulling images
 */
record MountableSecrets(String account, Set<String> mountable, Set<String> pulling) {
  private static final String ENFORCED = "kubernetes.io/enforce-mountable-secrets";

  /** Those of an account that wants its pods to keep to them. */
  static Optional<MountableSecrets> enforcedBy(JsonObject account) {
    Metadata metadata = Metadata.of(account);
    return metadata.annotation(ENFORCED).orElse("").equals("true")
        ? Optional.of(
            new MountableSecrets(
                metadata.name(), names(account, "secrets"), names(account, "imagePullSecrets")))
        : Optional.empty();
  }

  private static Set<String> names(JsonObject account, String list) {
    return account.array(list).objects().stream()
        .map(reference -> reference.text("name", ""))
        .collect(Collectors.toSet());
  }

  /** What is wrong with a pod that is created. */
  Optional<String> problem(JsonObject spec) {
    List<String> problems = new ArrayList<>();
    for (JsonObject volume : spec.array("volumes").objects()) {
      if (volume.has("secret")) {
        check(
            volume.object("secret").text("secretName", ""),
            "volume with secret.secretName=\"%s\"",
            problems);
      }
      for (JsonObject source : volume.object("projected").array("sources").objects()) {
        if (source.has("secret")) {
          check(
              source.object("secret").text("name", ""),
              "volume with projected secret.name=\"%s\"",
              problems);
        }
      }
    }
    checkContainers(spec, "initContainers", "init container", problems);
    checkContainers(spec, "containers", "container", problems);
    List<JsonObject> pulls = spec.array("imagePullSecrets").objects();
    for (int i = 0; i < pulls.size(); i++) {
      String name = pulls.get(i).text("name", "");
      if (!pulling.contains(name)) {
        problems.add(
            "imagePullSecrets[%d].name=\"%s\" is not allowed because service account %s does not reference that imagePullSecret"
                .formatted(i, name, account));
      }
    }
    return problems.stream().findFirst();
  }

  /** What is wrong with the containers that are added to a pod. */
  Optional<String> ephemeralProblem(JsonObject spec) {
    List<String> problems = new ArrayList<>();
    checkContainers(spec, "ephemeralContainers", "ephemeral container", problems);
    return problems.stream().findFirst();
  }

  private void checkContainers(JsonObject spec, String list, String what, List<String> problems) {
    for (JsonObject container : spec.array(list).objects()) {
      String named = what + " " + container.text("name", "");
      for (JsonObject variable : container.array("env").objects()) {
        JsonObject source = variable.object("valueFrom");
        if (source.has("secretKeyRef")) {
          check(
              source.object("secretKeyRef").text("name", ""),
              named
                  + " with envVar "
                  + variable.text("name", "")
                  + " referencing secret.secretName=\"%s\"",
              problems);
        }
      }
      for (JsonObject source : container.array("envFrom").objects()) {
        if (source.has("secretRef")) {
          check(
              source.object("secretRef").text("name", ""),
              named + " with envFrom referencing secret.secretName=\"%s\"",
              problems);
        }
      }
    }
  }

  private void check(String secret, String where, List<String> problems) {
    if (!mountable.contains(secret)) {
      problems.add(
          where.replace("%s", secret)
              + " is not allowed because service account "
              + account
              + " does not reference that secret");
    }
  }
}
