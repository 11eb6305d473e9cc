package dev.berth.serving.rest;

import dev.berth.kinds.resource.Catalog;
import dev.berth.serving.aggregation.Aggregation;
import dev.berth.serving.discovery.DiscoveryDocuments;
import dev.berth.serving.openapi.OpenApi;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The resources that are served now, and the documents about them, made anew when the resources
 * change. May be used from any thread.
 */
final class ServedApi {
  private final Supplier<Catalog> source;
  private final Aggregation elsewhere;
  private final UnaryOperator<Catalog> more;
  private volatile @Nullable Current current;

  /** What was made of one catalog. */
  record Current(
      Catalog source,
      Object elsewhere,
      Catalog all,
      DiscoveryDocuments discovery,
      OpenApi openApi) {}

  /**
   * @param elsewhere what other servers have
   * @param more adds that, and what is served but not stored
   */
  ServedApi(Supplier<Catalog> source, Aggregation elsewhere, UnaryOperator<Catalog> more) {
    this.source = source;
    this.elsewhere = elsewhere;
    this.more = more;
  }

  /** Two threads may make the same at the same time; either will do. */
  @SuppressWarnings("ReferenceEquality") // Whether it is another object is what is asked.
  Current now() {
    Catalog catalog = source.get();
    Object others = elsewhere.state();
    Current known = current;
    if (known == null || known.source != catalog || known.elsewhere != others) {
      Catalog all = more.apply(catalog);
      OpenApi openApi =
          new OpenApi(catalog, elsewhere.documents(), known == null ? null : known.openApi);
      known = new Current(catalog, others, all, new DiscoveryDocuments(all), openApi);
      current = known;
    }
    return known;
  }
}
