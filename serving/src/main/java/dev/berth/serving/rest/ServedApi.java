package dev.berth.serving.rest;

import dev.berth.kinds.resource.Catalog;
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
  private final UnaryOperator<Catalog> more;
  private volatile @Nullable Current current;

  /** What was made of one catalog. */
  record Current(Catalog source, Catalog all, DiscoveryDocuments discovery, OpenApi openApi) {}

  /**
   * @param more adds what is served but not stored
   */
  ServedApi(Supplier<Catalog> source, UnaryOperator<Catalog> more) {
    this.source = source;
    this.more = more;
  }

  /** Two threads may make the same at the same time; either will do. */
  Current now() {
    Catalog catalog = source.get();
    Current known = current;
    if (known == null || known.source != catalog) {
      Catalog all = more.apply(catalog);
      OpenApi openApi = new OpenApi(catalog, known == null ? null : known.openApi);
      known = new Current(catalog, all, new DiscoveryDocuments(all), openApi);
      current = known;
    }
    return known;
  }
}
