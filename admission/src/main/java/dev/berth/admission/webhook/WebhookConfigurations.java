package dev.berth.admission.webhook;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of all configurations of a kind, by the configurations' names. They are read anew
 * after a change, so that a configuration takes effect with the next request. For any thread.
 */
final class WebhookConfigurations {
  private final Registry registry;
  private final Resource resource;
  private final ResourceChanges changes;

  /** Counts changes, so that nobody keeps what was read before one. */
  private final AtomicLong generation = new AtomicLong();

  private volatile @Nullable Known known;

  private record Known(long generation, List<Webhook> webhooks) {}

  WebhookConfigurations(Registry registry, String plural) {
    this.registry = registry;
    this.resource = registry.catalog().get("admissionregistration.k8s.io", "v1", plural);
    this.changes =
        ResourceChanges.of(
            registry,
            List.of(resource),
            new ResourceChanges.Listener() {
              @Override
              public void changed(Resource changed, ObjectName name) {
                generation.incrementAndGet();
              }

              @Override
              public void lost() {
                generation.incrementAndGet();
              }
            });
  }

  List<Webhook> webhooks() {
    changes.deliver();
    long now = generation.get();
    Known last = known;
    if (last != null && last.generation == now) {
      return last.webhooks;
    }
    Known read = new Known(now, read());
    known = read;
    return read.webhooks;
  }

  private List<Webhook> read() {
    List<Webhook> all = new ArrayList<>();
    registry.list(resource, ListOptions.of(Selection.in(""))).entries().stream()
        .map(StoredEncoding::tree)
        .forEach(configuration -> {
          List<JsonObject> webhooks = configuration.array("webhooks").objects();
          for (int i = 0; i < webhooks.size(); i++) {
            all.add(Webhook.read(Metadata.of(configuration).name(), i, webhooks.get(i)));
          }
        });
    return List.copyOf(all);
  }
}
