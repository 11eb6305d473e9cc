package dev.berth.kinds.flowcontrol;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.flowcontrol.ShuffleSharding;
import java.util.ArrayList;
import java.util.List;

/** Priority levels: exempt ones and limited ones, of which the latter queue or reject. */
final class PriorityLevelRules implements ResourceRules {
  private static final List<String> TYPES = List.of("Exempt", "Limited");
  private static final List<String> RESPONSES = List.of("Queue", "Reject");
  private static final String PRESERVE_ZERO =
      "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  private static final FieldPath SPEC = FieldPath.of("spec");

  private static final long DEFAULT_SHARES = 30;
  private static final long DEFAULT_HAND_SIZE = 8;
  private static final long DEFAULT_QUEUES = 64;
  private static final long DEFAULT_QUEUE_LENGTH = 50;
  private static final long MOST_QUEUES = 10_000_000;

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return ResourceRules.statusAlone(object, old);
  }

  @Override
  public JsonObject defaults(JsonObject level) {
    JsonObject spec = level.object("spec");
    JsonObject.Builder shares = new JsonObject.Builder();
    if (spec.has("exempt")) {
      JsonObject none =
          shares.put("nominalConcurrencyShares", 0L).put("lendablePercent", 0L).build();
      spec = spec.with("exempt", spec.object("exempt").withMissing(none));
    }
    if (spec.has("limited")) {
      JsonObject usual =
          new JsonObject.Builder()
              .put("nominalConcurrencyShares", DEFAULT_SHARES)
              .put("lendablePercent", 0L)
              .build();
      JsonObject limited = spec.object("limited").withMissing(usual);
      JsonObject response = limited.object("limitResponse");
      if (response.has("queuing")) {
        response = response.with("queuing", queuing(response.object("queuing")));
        limited = limited.with("limitResponse", response);
      }
      spec = spec.with("limited", limited);
    }
    return level.with("spec", spec);
  }

  private static JsonObject queuing(JsonObject queuing) {
    JsonObject filled = unlessZero(queuing, "handSize", DEFAULT_HAND_SIZE);
    filled = unlessZero(filled, "queues", DEFAULT_QUEUES);
    return unlessZero(filled, "queueLengthLimit", DEFAULT_QUEUE_LENGTH);
  }

  private static JsonObject unlessZero(JsonObject object, String field, long value) {
    return object.integer(field).orElse(0) == 0 ? object.with(field, value) : object;
  }

  @Override
  public List<FieldError> validate(JsonObject level) {
    List<FieldError> errors = new ArrayList<>();
    Metadata metadata = Metadata.of(level);
    if (metadata.annotation(PRESERVE_ZERO).isPresent()) {
      errors.add(
          FieldError.forbidden(
              "metadata.annotations", "annotation '%s' is forbidden".formatted(PRESERVE_ZERO)));
    }
    JsonObject spec = level.object("spec");
    spec(metadata.name(), spec, errors);
    mandatory(metadata.name(), spec, errors);
    errors.addAll(ConditionRules.validate(level));
    return errors;
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject level, JsonObject old) {
    return ConditionRules.validate(level);
  }

  private static void spec(String name, JsonObject spec, List<FieldError> errors) {
    String type = spec.text("type", "");
    if (name.equals(BootstrapFlowControl.EXEMPT) != type.equals("Exempt")) {
      errors.add(
          FieldError.invalid(
              "spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'"));
    }
    switch (type) {
      case "Exempt" -> {
        if (spec.has("limited")) {
          errors.add(
              FieldError.forbidden("spec.limited", "must be nil if the type is not Limited"));
        }
        if (spec.has("exempt")) {
          FieldPath path = SPEC.field("exempt");
          shares(path, spec.object("exempt"), errors);
          lendable(path, spec.object("exempt"), errors);
        }
      }
      case "Limited" -> {
        if (spec.has("exempt")) {
          errors.add(FieldError.forbidden("spec.exempt", "must be nil if the type is Limited"));
        }
        if (spec.has("limited")) {
          limited(spec.object("limited"), errors);
        } else {
          errors.add(FieldError.required("spec.limited", "must not be empty when type is Limited"));
        }
      }
      case "" -> errors.add(FieldError.required("spec.type", ""));
      default -> errors.add(FieldError.notSupported("spec.type", type, TYPES));
    }
  }

  private static void limited(JsonObject limited, List<FieldError> errors) {
    FieldPath path = SPEC.field("limited");
    shares(path, limited, errors);
    response(path.field("limitResponse"), limited.object("limitResponse"), errors);
    lendable(path, limited, errors);
    limited.integer("borrowingLimitPercent").stream()
        .filter(percent -> percent < 0)
        .forEach(percent ->
            errors.add(
                FieldError.invalid(
                    path.field("borrowingLimitPercent").toString(),
                    percent,
                    "if specified, must be a non-negative integer")));
  }

  private static void shares(FieldPath path, JsonObject level, List<FieldError> errors) {
    long shares = level.integer("nominalConcurrencyShares").orElse(0);
    if (shares < 0) {
      errors.add(
          FieldError.invalid(
              path.field("nominalConcurrencyShares").toString(),
              shares,
              "must be a non-negative integer"));
    }
  }

  private static void lendable(FieldPath path, JsonObject level, List<FieldError> errors) {
    long percent = level.integer("lendablePercent").orElse(0);
    if (percent < 0 || percent > 100) {
      errors.add(
          FieldError.invalid(
              path.field("lendablePercent").toString(),
              percent,
              "must be between 0 and 100, inclusive"));
    }
  }

  private static void response(FieldPath path, JsonObject response, List<FieldError> errors) {
    FieldPath queuing = path.field("queuing");
    String type = response.text("type", "");
    switch (type) {
      case "Reject" -> {
        if (response.has("queuing")) {
          errors.add(
              FieldError.forbidden(
                  queuing.toString(), "must be nil if limited.limitResponse.type is not Limited"));
        }
      }
      case "Queue" -> {
        if (response.has("queuing")) {
          queuing(queuing, response.object("queuing"), errors);
        } else {
          errors.add(
              FieldError.required(
                  queuing.toString(),
                  "must not be empty if limited.limitResponse.type is Limited"));
        }
      }
      case "" -> errors.add(FieldError.required(path.field("type").toString(), ""));
      default ->
          errors.add(FieldError.notSupported(path.field("type").toString(), type, RESPONSES));
    }
  }

  private static void queuing(FieldPath path, JsonObject queuing, List<FieldError> errors) {
    long length = queuing.integer("queueLengthLimit").orElse(0);
    if (length <= 0) {
      invalid(path.field("queueLengthLimit"), length, "must be positive", errors);
    }
    long queues = queuing.integer("queues").orElse(0);
    if (queues <= 0) {
      invalid(path.field("queues"), queues, "must be positive", errors);
    } else if (queues > MOST_QUEUES) {
      invalid(path.field("queues"), queues, "must not be greater than " + MOST_QUEUES, errors);
    }
    long hand = queuing.integer("handSize").orElse(0);
    if (hand <= 0) {
      invalid(path.field("handSize"), hand, "must be positive", errors);
    } else if (hand > queues) {
      String problem = "should not be greater than queues (%d)".formatted(queues);
      invalid(path.field("handSize"), hand, problem, errors);
    } else if (ShuffleSharding.requiredEntropyBits((int) queues, (int) hand)
        > ShuffleSharding.MOST_ENTROPY_BITS) {
      String problem =
          "required entropy bits of deckSize %d and handSize %d should not be greater than %d"
              .formatted(queues, hand, ShuffleSharding.MOST_ENTROPY_BITS);
      invalid(path.field("handSize"), hand, problem, errors);
    }
  }

  private static void invalid(FieldPath path, long value, String problem, List<FieldError> errors) {
    errors.add(FieldError.invalid(path.toString(), value, problem));
  }

  /** What the server relies on stays as it is, but for the seats of those that are exempt. */
  private static void mandatory(String name, JsonObject spec, List<FieldError> errors) {
    BootstrapFlowControl.mandatoryLevel(name)
        .map(level -> level.object("spec"))
        .ifPresent(fixed -> {
          boolean exempt = name.equals(BootstrapFlowControl.EXEMPT);
          JsonObject compared = exempt ? spec.with("exempt", fixed.object("exempt")) : spec;
          if (!compared.equals(fixed)) {
            String but = exempt ? " except the 'spec.exempt' field" : "";
            errors.add(
                FieldError.invalid(
                    "spec",
                    spec,
                    "spec of '%s'%s must equal the fixed value".formatted(name, but)));
          }
        });
  }
}
