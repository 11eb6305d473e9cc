package dev.berth.kinds.storage;

import dev.berth.kinds.core.InlineVolumeValidation;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.VolumeDefaults;
import dev.berth.kinds.resource.DriverNames;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Volumes at nodes: which, where and by whom never changes. */
final class VolumeAttachmentRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath SOURCE = SPEC.field("source");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final int MOST_METADATA = 256 * 1024;
  private static final int LONGEST_MESSAGE = 1024;
  private static final String ONE_SOURCE =
      "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

  @Override
  public JsonObject defaults(JsonObject attachment) {
    return FieldRules.present(
        attachment,
        "spec",
        spec ->
            FieldRules.present(
                spec,
                "source",
                source -> FieldRules.present(source, "inlineVolumeSpec", VolumeDefaults::inline)));
  }

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject attachment, JsonObject old) {
    return ResourceRules.statusAlone(attachment, old);
  }

  @Override
  public List<FieldError> validate(JsonObject attachment) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = attachment.object("spec");
    DriverNames.validate(spec.text("attacher", ""), SPEC.field("attacher"), problems);
    source(spec.object("source"), problems);
    String node = spec.text("nodeName", "");
    problems.invalid(SPEC.field("nodeName"), node, NameRules.dns1123Subdomain(node));
    status(attachment.object("status"), problems);
    String volume = spec.object("source").text("persistentVolumeName");
    if (volume != null) {
      problems.invalid(
          SOURCE.field("persistentVolumeName"), volume, NameRules.dns1123Subdomain(volume));
    }
    return problems.all();
  }

  private static void source(JsonObject source, FieldErrorList problems) {
    boolean inline = source.has("inlineVolumeSpec");
    String volume = source.text("persistentVolumeName");
    if (inline && volume != null) {
      problems.forbidden(SOURCE, ONE_SOURCE);
    } else if (!inline && volume == null) {
      problems.required(SOURCE, ONE_SOURCE);
    } else if (volume != null && volume.isEmpty()) {
      problems.required(
          SOURCE.field("persistentVolumeName"), "must specify non empty persistentVolumeName");
    } else if (inline) {
      InlineVolumeValidation.validate(
          source.object("inlineVolumeSpec"), SOURCE.field("inlineVolumeSpec"), problems);
    }
  }

  private static void status(JsonObject status, FieldErrorList problems) {
    if (StorageParameters.bytes(status.object("attachmentMetadata")) > MOST_METADATA) {
      problems.tooLong(STATUS.field("attachmentMetadata"), MOST_METADATA);
    }
    for (String field : List.of("attachError", "detachError")) {
      JsonObject error = status.object(field);
      FieldPath at = STATUS.field(field);
      if (error.text("message", "").getBytes(StandardCharsets.UTF_8).length > LONGEST_MESSAGE) {
        problems.tooLong(at.field("message"), MOST_METADATA);
      }
      long code = error.integer("errorCode").orElse(0);
      if (code < 0) {
        problems.invalid(
            at.field("errorCode"), code, "must be between 0 and 2147483647, inclusive");
      }
    }
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject attachment, JsonObject old) {
    return validate(attachment);
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject attachment, JsonObject old) {
    JsonObject now = InternalForm.of("VolumeAttachmentSpec", attachment.object("spec"));
    JsonObject was = InternalForm.of("VolumeAttachmentSpec", old.object("spec"));
    return now.equals(was)
        ? List.of()
        : List.of(FieldError.invalid(SPEC.toString(), now, "field is immutable"));
  }
}
