package dev.berth.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Compares what was sent with what came back: the server may add to it, and change nothing. */
final class Sent {
  private Sent() {}

  /** Fails with the paths of all that was sent and did not come back as it was. */
  static void survives(String sent, String received) {
    List<String> lost = new ArrayList<>();
    compare(tree(sent), tree(received), FieldPath.ROOT, lost);
    assertThat(lost).as("lost of %s, of which came back %s", sent, received).isEmpty();
  }

  private static JsonObject tree(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  private static void compare(Object sent, Object received, FieldPath path, List<String> lost) {
    if (sent instanceof JsonObject object && received instanceof JsonObject other) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        Object value = other.get(name);
        if (value == null) {
          lost.add(path.field(name) + " is missing");
        } else {
          compare(object.value(i), value, path.field(name), lost);
        }
      }
    } else if (sent instanceof JsonArray list
        && received instanceof JsonArray other
        && list.size() <= other.size()) {
      for (int i = 0; i < list.size(); i++) {
        compare(list.get(i), other.get(i), path.index(i), lost);
      }
    } else if (!Objects.equals(sent, received)) {
      lost.add(path + " was " + sent + " and is " + received);
    }
  }
}
