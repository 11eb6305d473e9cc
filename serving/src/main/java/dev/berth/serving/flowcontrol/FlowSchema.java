package dev.berth.serving.flowcontrol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.Action;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.List;

/**
 * Which requests belong together, and to which priority level.
 *
 * @param precedence of the schemas that match a request, the lowest counts
 * @param distinguisher what tells the flows of a schema apart: {@code ByUser}, {@code ByNamespace},
 *     or nothing
 */
record FlowSchema(
    String name,
    String uid,
    long precedence,
    String level,
    String distinguisher,
    List<FlowSchemaRule> rules) {
  static final Comparator<FlowSchema> ORDER =
      Comparator.comparingLong(FlowSchema::precedence).thenComparing(FlowSchema::name);

  static FlowSchema read(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    JsonObject spec = object.object("spec");
    return new FlowSchema(
        metadata.name(),
        metadata.uid(),
        spec.integer("matchingPrecedence").orElse(0),
        spec.object("priorityLevelConfiguration").text("name", ""),
        spec.object("distinguisherMethod").text("type", ""),
        spec.array("rules").objects().stream().map(FlowSchemaRule::read).toList());
  }

  boolean matches(User user, Action action) {
    for (FlowSchemaRule rule : rules) {
      if (rule.matches(user, action)) {
        return true;
      }
    }
    return false;
  }

  /** What tells a request's flow from others of this schema. */
  String flow(User user, Action action) {
    return switch (distinguisher) {
      case "ByUser" -> user.name();
      case "ByNamespace" -> action instanceof Action.OnResource on ? on.namespace() : "";
      default -> "";
    };
  }

  /** The same number for all requests of a flow, and hardly ever for two flows. */
  long hash(String flow) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(name.getBytes(UTF_8));
      digest.update((byte) 0);
      byte[] sum = digest.digest(flow.getBytes(UTF_8));
      return ByteBuffer.wrap(sum).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
