package dev.berth.kinds.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Config maps and secrets: texts and bytes by keys that can be the names of files. */
final class DataRules implements ResourceRules {
  private static final int SIZE_LIMIT = 1024 * 1024;
  private static final int KEY_LENGTH = 253;
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

  private final boolean secret;

  private DataRules(boolean secret) {
    this.secret = secret;
  }

  static DataRules configMaps() {
    return new DataRules(false);
  }

  static DataRules secrets() {
    return new DataRules(true);
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    if (!secret) {
      return object;
    }
    JsonObject typed = object.text("type", "").isEmpty() ? object.with("type", "Opaque") : object;
    JsonObject texts = typed.object("stringData");
    if (texts.isEmpty()) {
      return typed.without("stringData");
    }
    JsonObject.Builder data = new JsonObject.Builder();
    typed.object("data").forEach(data::put);
    for (int i = 0; i < texts.size(); i++) {
      byte[] bytes = texts.text(texts.name(i), "").getBytes(UTF_8);
      data.put(texts.name(i), Base64.getEncoder().encodeToString(bytes));
    }
    return typed.with("data", data.build()).without("stringData");
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject data = object.object("data");
    JsonObject binary = object.object("binaryData");
    validateKeys("data", data, binary, errors);
    validateKeys("binaryData", binary, JsonObject.EMPTY, errors);
    long size = secret ? decodedBytes(data) : bytes(data) + decodedBytes(binary);
    if (size > SIZE_LIMIT) {
      errors.add(
          new FieldError(
              FieldError.Reason.TOO_LONG,
              secret ? "data" : "",
              null,
              "may not be more than " + SIZE_LIMIT + " bytes"));
    }
    if (secret) {
      errors.addAll(SecretTypes.validate(object));
    }
    return errors;
  }

  private static void validateKeys(
      String field, JsonObject data, JsonObject others, List<FieldError> errors) {
    for (int i = 0; i < data.size(); i++) {
      String key = data.name(i);
      String path = FieldPath.of(field).key(key).toString();
      keyProblems(key).forEach(p -> errors.add(FieldError.invalid(path, key, p)));
      if (others.has(key)) {
        errors.add(FieldError.invalid(path, key, "duplicate of key present in binaryData"));
      }
    }
  }

  private static long bytes(JsonObject texts) {
    return texts.names().stream()
        .mapToLong(key -> texts.text(key, "").getBytes(UTF_8).length)
        .sum();
  }

  private static long decodedBytes(JsonObject encoded) {
    return encoded.names().stream()
        .map(key -> encoded.text(key, ""))
        .mapToLong(text -> text.length() / 4 * 3L - text.chars().filter(c -> c == '=').count())
        .sum();
  }

  private static List<String> keyProblems(String key) {
    List<String> problems = new ArrayList<>();
    if (key.length() > KEY_LENGTH) {
      problems.add("must be no more than " + KEY_LENGTH + " characters");
    }
    if (!KEY.matcher(key).matches()) {
      problems.add(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
              + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '"
              + KEY
              + "')");
    } else if (key.equals(".") || key.startsWith("..")) {
      problems.add(
          key.equals(".") || key.equals("..")
              ? "must not be '" + key + "'"
              : "must not start with '..'");
    }
    return problems;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    if (secret) {
      errors.addAll(FieldRules.immutable(FieldPath.of("type"), object, old));
    }
    if (old.flag("immutable", false)) {
      String why = "field is immutable when `immutable` is set";
      if (!object.flag("immutable", false)) {
        errors.add(FieldError.forbidden("immutable", why));
      }
      for (String field : List.of("data", "binaryData")) {
        if (!object.object(field).equals(old.object(field))) {
          errors.add(FieldError.forbidden(field, why));
        }
      }
    }
    return errors;
  }
}
