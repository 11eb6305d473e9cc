package dev.berth.kinds.resource;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.function.Function;

/**
 * What whoever writes an object is told about it, though it is let in: what is deprecated, or
 * probably not what was meant. Asked once the object has been found valid.
 */
public interface ObjectWarnings {

  /**
   * More than anybody is shown; where there may be very many, nobody need look for further ones.
   */
  int MOST = 1000;

  /** Of a resource about whose objects there is nothing to say. */
  ObjectWarnings NONE = new ObjectWarnings() {};

  /** Of a resource about whose objects there is the same to say whenever they are written. */
  static ObjectWarnings whenWritten(Function<JsonObject, List<String>> about) {
    return new ObjectWarnings() {
      @Override
      public List<String> onCreate(JsonObject object) {
        return about.apply(object);
      }

      @Override
      public List<String> onUpdate(JsonObject object, JsonObject old) {
        return about.apply(object);
      }
    };
  }

  /** About an object that is created, before the server has decided anything about it. */
  default List<String> beforePreparation(JsonObject object) {
    return List.of();
  }

  /** About an object that is created. */
  default List<String> onCreate(JsonObject object) {
    return List.of();
  }

  /** About an object that is changed. */
  default List<String> onUpdate(JsonObject object, JsonObject old) {
    return List.of();
  }

  /** About a change that came through a subresource. */
  default List<String> onSubresource(String subresource, JsonObject object, JsonObject old) {
    return List.of();
  }
}
