package dev.berth.apiserver.api;

import dev.berth.client.ApiResult;
import dev.berth.client.informer.Cache;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a cache of config maps tells, in few letters. */
class RecordedChanges implements Cache.Listener {
  final List<String> told = new ArrayList<>();

  /** Name and content of a config map. */
  static String text(JsonObject object) {
    return Metadata.of(object).name() + object.object("data").text("key");
  }

  /** What was told since this was last asked. */
  List<String> takeAll() {
    List<String> all = List.copyOf(told);
    told.clear();
    return all;
  }

  @Override
  public void added(JsonObject object) {
    told.add("+" + text(object));
  }

  @Override
  public void changed(JsonObject before, JsonObject after) {
    told.add(text(before) + ">" + text(after));
  }

  @Override
  public void removed(JsonObject last) {
    told.add("-" + text(last));
  }

  @Override
  public void synced() {
    told.add("synced");
  }

  @Override
  public void failed(ApiResult.Failure why) {
    told.add("failed: " + why.message());
  }
}
