package dev.berth.model.network;

import dev.berth.model.core.Views;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * An EndpointSlice, read where it stands in the tree. Ports and endpoints are the tree's own: a
 * slice is right only if it says exactly what it should, and nothing else.
 */
public record EndpointSliceView(JsonObject tree) {

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public String addressType() {
    return tree.text("addressType", "");
  }

  public JsonArray ports() {
    return tree.array("ports");
  }

  public List<JsonObject> endpoints() {
    return tree.array("endpoints").objects();
  }

  /** The ports, as far as they have numbers and names. */
  public List<ServicePort> portViews() {
    return Views.list(ports(), ServicePort::read);
  }

  public List<EndpointView> endpointViews() {
    return Views.list(tree.array("endpoints"), EndpointView::read);
  }

  /** The uid of the pod that an endpoint of a slice stands for; empty if it is for none. */
  public static String podOf(JsonObject endpoint) {
    return endpoint.object("targetRef").text("uid", "");
  }
}
