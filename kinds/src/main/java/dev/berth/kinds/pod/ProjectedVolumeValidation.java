package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.SignerNames;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with files that are made of other objects, several kinds in one volume. */
final class ProjectedVolumeValidation {
  private static final long LEAST_TOKEN_SECONDS = 600;
  private static final long MOST_TOKEN_SECONDS = 1L << 32;
  private static final long LEAST_CERTIFICATE_SECONDS = 3600;
  private static final long MOST_CERTIFICATE_SECONDS = 91L * 24 * 3600;
  private static final long MOST_KUBERNETES_CERTIFICATE_SECONDS = 24L * 3600;
  private static final String TWICE = "conflicting duplicate paths";
  private static final List<String> KEY_TYPES =
      List.of("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519");
  private static final List<String> DOWNWARD_FIELDS =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  private final FieldErrorList problems;
  private final PodValidationOptions options;
  private final Set<String> paths = new HashSet<>();

  ProjectedVolumeValidation(FieldErrorList problems, PodValidationOptions options) {
    this.problems = problems;
    this.options = options;
  }

  /** The files of a Secret or of a ConfigMap. */
  static void files(JsonObject source, FieldPath at, FieldErrorList problems) {
    problems.mode(source, "defaultMode", at);
    List<JsonObject> items = source.array("items").objects();
    for (int i = 0; i < items.size(); i++) {
      file(items.get(i), at.field("items").index(i), problems);
    }
  }

  private static void file(JsonObject item, FieldPath at, FieldErrorList problems) {
    problems.present(item, "key", at);
    problems.present(item, "path", at);
    problems.notReserved(item.text("path", ""), at.field("path"));
    problems.mode(item, "mode", at);
  }

  /** A file of what a pod is told about itself; upstream does not say which one is wrong. */
  static void downwardFile(JsonObject file, FieldPath at, FieldErrorList problems) {
    problems.present(file, "path", at);
    problems.notReserved(file.text("path", ""), at.field("path"));
    if (file.has("fieldRef")) {
      EnvironmentValidation.field(
          file.object("fieldRef"), DOWNWARD_FIELDS, at.field("fieldRef"), problems);
      if (file.has("resourceFieldRef")) {
        problems.invalid(
            at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.has("resourceFieldRef")) {
      EnvironmentValidation.resource(
          file.object("resourceFieldRef"), true, at.field("resourceFieldRef"), problems);
    } else {
      problems.required(at, "one of fieldRef and resourceFieldRef is required");
    }
    problems.mode(file, "mode", at);
  }

  void validate(JsonObject volume, FieldPath at) {
    problems.mode(volume, "defaultMode", at);
    List<JsonObject> sources = volume.array("sources").objects();
    for (int i = 0; i < sources.size(); i++) {
      FieldPath place = at.field("sources").index(i);
      JsonObject source = sources.get(i);
      int kinds = 0;
      for (String kind :
          List.of(
              "secret",
              "configMap",
              "downwardAPI",
              "serviceAccountToken",
              "clusterTrustBundle",
              "podCertificate")) {
        if (source.has(kind)) {
          kinds++;
          source(kind, source.object(kind), place.field(kind), at);
        }
      }
      if (kinds > 1) {
        problems.forbidden(place, "may not specify more than 1 volume type per source");
      }
    }
  }

  private void source(String kind, JsonObject source, FieldPath at, FieldPath volume) {
    switch (kind) {
      case "secret", "configMap" -> {
        problems.present(source, "name", at);
        List<JsonObject> items = source.array("items").objects();
        for (int i = 0; i < items.size(); i++) {
          file(items.get(i), at.field("items").index(i), problems);
          once(items.get(i).text("path", ""), source.text("name", ""), volume);
        }
      }
      case "downwardAPI" -> {
        for (JsonObject file : source.array("items").objects()) {
          downwardFile(file, at, problems);
          once(file.text("path", ""), file.text("path", ""), volume);
        }
      }
      case "serviceAccountToken" -> token(source, at, volume);
      case "clusterTrustBundle" -> bundle(source, at, volume);
      default -> certificate(source, at, volume);
    }
  }

  private void once(String path, String value, FieldPath volume) {
    if (!path.isEmpty() && !paths.add(path)) {
      problems.invalid(volume, value, TWICE);
    }
  }

  private void token(JsonObject token, FieldPath at, FieldPath volume) {
    long seconds = token.integer("expirationSeconds").orElse(0);
    if (seconds < LEAST_TOKEN_SECONDS) {
      problems.invalid(
          at.field("expirationSeconds"),
          seconds,
          "may not specify a duration less than 10 minutes");
    }
    if (seconds > MOST_TOKEN_SECONDS) {
      problems.invalid(
          at.field("expirationSeconds"),
          seconds,
          "may not specify a duration larger than 2^32 seconds");
    }
    if (problems.present(token, "path", volume) && !options.nonLocalTokenPaths()) {
      problems.notReserved(token.text("path", ""), volume.field("path"));
    }
  }

  private void bundle(JsonObject bundle, FieldPath at, FieldPath volume) {
    String name = bundle.text("name");
    String signer = bundle.text("signerName");
    if (name != null && signer != null) {
      problems.invalid(
          at,
          InternalForm.of("ClusterTrustBundleProjection", bundle),
          "only one of name and signerName may be used");
    } else if (name != null) {
      if (name.isEmpty()) {
        problems.required(at.field("name"), "must be a valid object name");
      }
      // A bundle of a signer is named after it: example.com:signer:name.
      for (String problem : NameRules.dns1123Subdomain(name.substring(name.lastIndexOf(':') + 1))) {
        problems.invalid(at.field("name"), name, "not a valid clustertrustbundlename: " + problem);
      }
      if (bundle.has("labelSelector")) {
        problems.invalid(
            at.field("labelSelector"),
            bundle.object("labelSelector"),
            "labelSelector must be unset if name is specified");
      }
    } else if (signer != null) {
      if (signer.isEmpty()) {
        problems.required(at.field("signerName"), "must be a valid signer name");
      }
      SignerNames.check(signer, at.field("signerName"), problems);
      problems.addAll(
          LabelSelectorForm.validate(
              bundle.object("labelSelector"), at.field("labelSelector").toString()));
    } else {
      problems.required(at, "either name or signerName must be specified");
    }
    problems.present(bundle, "path", at);
    problems.notReserved(bundle.text("path", ""), at.field("path"));
    if (!paths.add(bundle.text("path", ""))) {
      problems.invalid(volume, bundle.text("path", ""), TWICE);
    }
  }

  private void certificate(JsonObject certificate, FieldPath at, FieldPath volume) {
    String signer = certificate.text("signerName", "");
    SignerNames.check(signer, at.field("signerName"), problems);
    problems.oneOf(at.field("keyType"), certificate.text("keyType", ""), KEY_TYPES);
    certificate
        .integer("maxExpirationSeconds")
        .ifPresent(seconds -> {
          FieldPath field = at.field("maxExpirationSeconds");
          if (seconds < LEAST_CERTIFICATE_SECONDS) {
            problems.invalid(field, seconds, "if provided, maxExpirationSeconds must be >= 3600");
          }
          boolean own = signer.split("/", -1)[0].endsWith("kubernetes.io");
          long most = own ? MOST_KUBERNETES_CERTIFICATE_SECONDS : MOST_CERTIFICATE_SECONDS;
          if (seconds > most) {
            problems.invalid(
                field, seconds, "if provided, maxExpirationSeconds must be <= " + most);
          }
        });
    boolean any = false;
    for (String field : List.of("credentialBundlePath", "keyPath", "certificateChainPath")) {
      String path = certificate.text(field, "");
      if (!path.isEmpty()) {
        any = true;
        problems.notReserved(path, at.field(field));
        once(path, path, volume);
      }
    }
    if (!any) {
      problems.required(
          at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
    }
  }
}
