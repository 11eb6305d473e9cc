package dev.berth.customresources.definition;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Definitions in the form of their first version, v1beta1, in which Kubernetes stores them to this
 * day since it is shorter: what all versions have in common is said once.
 *
 * <ol>
 *   <li>Schema, subresources, columns and selectable fields stand beside the versions if all
 *       versions have the same, and then in none of them.
 *   <li>{@code version} names the first version.
 *   <li>The client and the review versions of a webhook are fields of the conversion itself.
 *   <li>Columns write {@code JSONPath}.
 *   <li>Unknown fields are kept unless it says otherwise; so it says so.
 * </ol>
 */
public final class BetaDefinition {
  public static final String API_VERSION = DefinitionResource.GROUP + "/v1beta1";

  private static final String COLUMNS = "additionalPrinterColumns";

  /** What is common to all versions: its name beside them, and in each of them. */
  private static final List<Common> COMMON =
      List.of(
          new Common("subresources", "subresources"),
          new Common("validation", "schema"),
          new Common(COLUMNS, COLUMNS),
          new Common("selectableFields", "selectableFields"));

  private record Common(String ofAll, String ofOne) {}

  private BetaDefinition() {}

  /** A definition of v1 in the form of v1beta1. */
  public static JsonObject of(JsonObject definition) {
    return definition.with("apiVersion", API_VERSION).update("spec", BetaDefinition::betaSpec);
  }

  private static JsonObject betaSpec(JsonObject v1) {
    JsonObject spec = v1.with("preserveUnknownFields", v1.flag("preserveUnknownFields", false));
    if (spec.has("conversion")) {
      spec = spec.update("conversion", BetaDefinition::betaConversion);
    }
    if (spec.array("versions").isEmpty()) {
      return spec;
    }
    spec =
        spec.with("versions", spec.array("versions").mapObjects(each -> columns(each, "jsonPath")));
    List<JsonObject> versions = spec.array("versions").objects();
    spec = spec.with("version", versions.getFirst().text("name", ""));
    for (Common common : COMMON) {
      Object first = versions.getFirst().get(common.ofOne);
      if (versions.stream().allMatch(v -> Objects.equals(v.get(common.ofOne), first))) {
        spec =
            with(spec, common.ofAll, first)
                .with(
                    "versions",
                    spec.array("versions").mapObjects(version -> version.without(common.ofOne)));
      }
    }
    return spec;
  }

  private static JsonObject betaConversion(JsonObject v1) {
    JsonObject webhook = v1.object("webhook");
    JsonObject conversion = v1.without("webhook");
    conversion = with(conversion, "webhookClientConfig", webhook.get("clientConfig"));
    return with(conversion, "conversionReviewVersions", webhook.get("conversionReviewVersions"));
  }

  /** A definition of v1beta1 in the form of v1; one of v1 as it is. */
  public static JsonObject toV1(JsonObject definition) {
    return definition.text("apiVersion", "").equals(API_VERSION)
        ? definition
            .with("apiVersion", DefinitionResource.GROUP + "/v1")
            .update("spec", BetaDefinition::v1Spec)
        : definition;
  }

  private static JsonObject v1Spec(JsonObject beta) {
    JsonObject spec = beta.without("version").update("names", BetaDefinition::withDefaults);
    spec = spec.has("scope") ? spec : spec.with("scope", "Namespaced");
    if (beta.flag("preserveUnknownFields", true)) {
      spec = spec.with("preserveUnknownFields", true);
    } else {
      spec = spec.without("preserveUnknownFields");
    }
    if (spec.has("conversion")) {
      spec = spec.update("conversion", BetaDefinition::v1Conversion);
    }
    JsonArray versions = spec.array("versions");
    String only = beta.text("version", "");
    if (versions.isEmpty() && !only.isEmpty()) {
      versions =
          JsonArray.of(JsonObject.of("name", only).with("served", true).with("storage", true));
    }
    for (Common common : COMMON) {
      Object ofAll = spec.get(common.ofAll);
      if (ofAll != null) {
        versions = versions.mapObjects(version -> version.with(common.ofOne, ofAll));
        spec = spec.without(common.ofAll);
      }
    }
    return versions.isEmpty()
        ? spec
        : spec.with("versions", versions.mapObjects(version -> columns(version, "JSONPath")));
  }

  private static JsonObject withDefaults(JsonObject names) {
    String kind = names.text("kind", "");
    if (kind.isEmpty()) {
      return names;
    }
    JsonObject all =
        names.text("singular", "").isEmpty()
            ? names.with("singular", kind.toLowerCase(Locale.ROOT))
            : names;
    return all.text("listKind", "").isEmpty() ? all.with("listKind", kind + "List") : all;
  }

  private static JsonObject v1Conversion(JsonObject beta) {
    JsonObject webhook = with(JsonObject.EMPTY, "clientConfig", beta.get("webhookClientConfig"));
    Object reviews = beta.get("conversionReviewVersions");
    if (reviews == null && beta.text("strategy", "").equals("Webhook")) {
      reviews = JsonArray.of("v1beta1");
    }
    webhook = with(webhook, "conversionReviewVersions", reviews);
    JsonObject conversion = beta.without("webhookClientConfig").without("conversionReviewVersions");
    return webhook.isEmpty() ? conversion : conversion.with("webhook", webhook);
  }

  /** A version with its columns in the other form. */
  private static JsonObject columns(JsonObject version, String from) {
    String to = from.equals("jsonPath") ? "JSONPath" : "jsonPath";
    return version.has(COLUMNS)
        ? version.with(
            COLUMNS,
            version
                .array(COLUMNS)
                .mapObjects(column -> with(column.without(from), to, column.get(from))))
        : version;
  }

  private static JsonObject with(JsonObject object, String field, @Nullable Object value) {
    return value == null ? object : object.with(field, value);
  }
}
