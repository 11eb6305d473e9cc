package dev.berth.apiserver.table;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the smaller kinds of the core group are printed. */
public final class CoreColumns {
  private CoreColumns() {}

  public static final Column PHASE =
      Column.text("Status", "The phase the object is in.", Cells.text("status.phase", ""));

  public static final Column DATA =
      Column.number(
          "Data",
          "How many keys there are.",
          object -> (long) object.object("data").size() + object.object("binaryData").size());

  public static final Column SECRET_TYPE =
      Column.text("Type", "What the secret is for.", Cells.text("type", ""));

  public static final Column SECRETS =
      Column.number(
          "Secrets",
          "How many secrets the account may use.",
          object -> (long) object.array("secrets").size());

  public static final Column SERVICE_TYPE =
      Column.text("Type", "How the service can be reached.", Cells.text("spec.type", ""));

  public static final Column CLUSTER_IP =
      Column.text("Cluster-IP", "The service's address.", Cells.text("spec.clusterIP", Cells.NONE));

  public static final Column SERVICE_EXTERNAL_IP =
      Column.text("External-IP", "The addresses from outside.", CoreColumns::externalIps);

  public static final Column PORTS =
      Column.text("Port(s)", "The service's ports.", CoreColumns::ports);

  public static final Column SERVICE_SELECTOR =
      Column.text(
              "Selector",
              "Which pods serve, by their labels.",
              service -> Cells.labels(service.object("spec").object("selector")))
          .wide();

  public static final Column ENDPOINTS =
      Column.text("Endpoints", "The addresses that serve.", CoreColumns::endpoints);

  public static final Column HOLDER =
      Column.text("Holder", "Who has the lease.", Cells.text("spec.holderIdentity", ""));

  /** Events by the time they were last seen. */
  public static final Column LAST_SEEN =
      Column.timed("Last Seen", "When it happened last.", CoreColumns::lastSeen);

  public static final Column FIRST_SEEN =
      Column.timed("First Seen", "When it happened first.", CoreColumns::firstSeen).wide();

  public static final Column EVENT_TYPE =
      Column.text("Type", "Whether it matters: Normal or Warning.", Cells.text("type", ""));

  public static final Column EVENT_REASON =
      Column.text("Reason", "Why it happened, in a word.", Cells.text("reason", ""));

  public static final Column EVENT_OBJECT =
      Column.text(
          "Object",
          "What it happened to.",
          event -> {
            JsonObject object = event.object("involvedObject");
            return object.text("kind", "").toLowerCase(Locale.ROOT) + "/" + object.text("name", "");
          });

  public static final Column EVENT_SUBOBJECT =
      Column.text(
              "Subobject", "Which part of the object.", Cells.text("involvedObject.fieldPath", ""))
          .wide();

  public static final Column EVENT_SOURCE =
      Column.text(
              "Source",
              "Who tells.",
              event -> {
                JsonObject source = event.object("source");
                String component = source.text("component", event.text("reportingComponent", ""));
                String host = source.text("host", event.text("reportingInstance", ""));
                return host.isEmpty() ? component : component + ", " + host;
              })
          .wide();

  public static final Column EVENT_MESSAGE =
      Column.text("Message", "What happened.", event -> event.text("message", "").strip());

  public static final Column EVENT_COUNT =
      Column.number("Count", "How often it happened.", CoreColumns::count).wide();

  private static String externalIps(JsonObject service) {
    JsonObject spec = service.object("spec");
    if (spec.text("type", "").equals("ExternalName")) {
      return Cells.orNone(spec.text("externalName", ""));
    }
    List<String> ips = spec.array("externalIPs").texts();
    return ips.isEmpty()
        ? spec.text("type", "").equals("LoadBalancer") ? "<pending>" : Cells.NONE
        : Cells.join(ips);
  }

  private static String ports(JsonObject service) {
    String ports =
        service.object("spec").array("ports").objects().stream()
            .map(port -> {
              long node = port.integer("nodePort").orElse(0);
              return port.integer("port").orElse(0)
                  + (node > 0 ? ":" + node : "")
                  + "/"
                  + port.text("protocol", "TCP");
            })
            .collect(Collectors.joining(","));
    return Cells.orNone(ports);
  }

  private static String endpoints(JsonObject endpoints) {
    String text =
        endpoints.array("subsets").objects().stream()
            .flatMap(subset ->
                subset.array("addresses").objects().stream()
                    .flatMap(address ->
                        subset.array("ports").objects().stream()
                            .map(port ->
                                address.text("ip", "") + ":" + port.integer("port").orElse(0))))
            .collect(Collectors.joining(","));
    return Cells.orNone(text);
  }

  private static long count(JsonObject event) {
    long series = event.object("series").integer("count").orElse(0);
    return series > 0 ? series : Math.max(1, event.integer("count").orElse(1));
  }

  private static Object firstSeen(JsonObject event, Instant now) {
    String first = event.text("firstTimestamp");
    return Ages.since(first == null ? event.text("eventTime") : first, now);
  }

  private static Object lastSeen(JsonObject event, Instant now) {
    String series = event.object("series").text("lastObservedTime");
    if (series != null) {
      return Ages.since(series, now);
    }
    String last = event.text("lastTimestamp");
    return last == null ? firstSeen(event, now) : Ages.since(last, now);
  }
}
