package dev.berth.apiserver.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.store.StoreException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease in {@code kube-system} by which a server says that it is there, as each kube-apiserver
 * has one: named after its host, labelled with it, and renewed every ten seconds. It goes when the
 * server stops; that of a server that died is deleted by others once it has expired, after an hour.
 *
 * <p>Nothing depends on it. People and tools see by it which servers there are, and since when.
 */
public final class ServerIdentity {
  private static final Logger LOG = LoggerFactory.getLogger("apiserver-identity");

  private static final String NAMESPACE = "kube-system";
  private static final String LABEL = "apiserver.kubernetes.io/identity";
  private static final String COMPONENT = "kube-apiserver";
  private static final Duration RENEWAL = Duration.ofSeconds(10);
  private static final Duration LIFE = Duration.ofHours(1);
  private static final Duration COLLECTION = Duration.ofHours(1);
  private static final int HASHED_BYTES = 16;

  /** Others do the same: they were faster, which is as good. */
  private static final Set<String> PASSING = Set.of("AlreadyExists", "NotFound", "Conflict");

  private final Registry registry;
  private final Resource leases;
  private final String host;
  private final String holder;
  private final ObjectName name;
  private boolean isWithdrawn;

  /**
   * @param random tells this process from others of the same host
   */
  public ServerIdentity(Registry registry, String host, String random) {
    this.registry = registry;
    this.leases = registry.catalog().get("coordination.k8s.io", "v1", "leases");
    this.host = host;
    name = new ObjectName(NAMESPACE, nameOf(host));
    holder = name.name() + "_" + random;
  }

  /** What the server on a host is called: upstream's hash of the host and the component. */
  static String nameOf(String host) {
    byte[] hostBytes = host.getBytes(UTF_8);
    byte[] component = COMPONENT.getBytes(UTF_8);
    ByteBuffer hashed =
        ByteBuffer.allocate(2 * Short.BYTES + hostBytes.length + component.length)
            .putShort((short) hostBytes.length)
            .put(hostBytes)
            .putShort((short) component.length)
            .put(component);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(hashed.array());
      return "apiserver-" + base32(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  private static String base32(byte[] hash) {
    String digits = "abcdefghijklmnopqrstuvwxyz234567";
    StringBuilder text = new StringBuilder();
    int bits = 0;
    int left = 0;
    for (int i = 0; i < HASHED_BYTES; i++) {
      bits = ((bits << Byte.SIZE) | (hash[i] & 0xff)) & 0xffff;
      left += Byte.SIZE;
      while (left >= 5) {
        left -= 5;
        text.append(digits.charAt((bits >> left) & 31));
      }
    }
    return text.append(digits.charAt((bits << (5 - left)) & 31)).toString();
  }

  /** Says so from now on, until it is closed. */
  public AutoCloseable keep(Time time) {
    Loop loop = time.start("apiserver-identity");
    again(loop, Duration.ZERO, RENEWAL, this::renew);
    again(loop, COLLECTION, COLLECTION, this::collect);
    return loop;
  }

  private static void again(Loop loop, Duration after, Duration every, Runnable what) {
    loop.after(
        after,
        () -> {
          try {
            what.run();
          } catch (StoreException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot renew its lease now");
          } catch (StatusException e) {
            if (!PASSING.contains(e.status().reason())) {
              throw e;
            }
          }
          again(loop, every, every, what);
        });
  }

  private synchronized void renew() {
    if (isWithdrawn) {
      return;
    }
    if (registry.find(leases, name).isEmpty()) {
      registry.create(
          leases,
          NAMESPACE,
          renewed(JsonObject.of("metadata", JsonObject.of("name", name.name()))),
          WriteOptions.DEFAULT);
    } else {
      registry.modify(leases, name, WriteOptions.DEFAULT, this::renewed);
    }
  }

  private JsonObject renewed(JsonObject lease) {
    JsonObject spec =
        new JsonObject.Builder()
            .put("holderIdentity", holder)
            .put("leaseDurationSeconds", LIFE.toSeconds())
            .put("renewTime", Times.formatMicro(registry.now()))
            .build();
    JsonObject labels =
        new JsonObject.Builder().put(LABEL, COMPONENT).put(WellKnownLabels.HOSTNAME, host).build();
    return Metadata.update(
        lease.with("spec", spec),
        metadata -> metadata.update("labels", others -> labels.withMissing(others)));
  }

  /** Deletes leases of servers that died, kube-apiservers included. */
  private void collect() {
    Selection servers =
        new Selection(
            NAMESPACE, LabelSelector.parse(LABEL + "=" + COMPONENT), FieldSelector.EVERYTHING);
    List<JsonObject> expired =
        registry.list(leases, ListOptions.of(servers)).entries().stream()
            .map(StoredEncoding::tree)
            .filter(lease -> isExpired(lease, registry.now()))
            .toList();
    expired.forEach(this::delete);
  }

  static boolean isExpired(JsonObject lease, Instant now) {
    JsonObject spec = lease.object("spec");
    String renewed = spec.text("renewTime", "");
    return renewed.isEmpty()
        || spec.integer("leaseDurationSeconds").isEmpty()
        || Times.parseMicro(renewed)
            .plusSeconds(spec.integer("leaseDurationSeconds").orElseThrow())
            .isBefore(now);
  }

  /** The server ends. */
  public synchronized void withdraw() {
    if (isWithdrawn) {
      return;
    }
    isWithdrawn = true;
    try {
      registry
          .find(leases, name)
          .map(found -> found.tree())
          // Not that of another server of this host.
          .filter(lease -> lease.object("spec").text("holderIdentity", "").equals(holder))
          .ifPresent(this::delete);
    } catch (StoreException e) {
      // Then it expires.
      LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot delete its lease");
    }
  }

  /** If it still is as it was read. */
  private void delete(JsonObject lease) {
    Metadata metadata = Metadata.of(lease);
    try {
      registry.delete(
          leases,
          ObjectName.of(lease),
          new DeletionOptions(
              null,
              metadata.uid(),
              metadata.resourceVersion(),
              null,
              false,
              DeletionOptions.DEFAULT.user()));
    } catch (StatusException e) {
      if (!PASSING.contains(e.status().reason())) {
        throw e;
      }
    }
  }
}
