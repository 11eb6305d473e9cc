package dev.berth.apiserver.layout;

import dev.berth.kinds.resource.Resource;
import dev.berth.registry.UpstreamKeys;
import dev.berth.store.etcd.EtcdLayout;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the store, which begin with a resource and its group ({@code
 * /registry/deployments.apps/default/web}), and those of a kube-apiserver in etcd:
 *
 * <ol>
 *   <li>Built-in resources are there by their names alone ({@code /registry/deployments/default/
 *       web}), a few by older names or in two steps ({@code minions}, {@code services/specs}).
 *   <li>Custom resources are below their group ({@code /registry/example.com/ships/default/web}),
 *       and so are definitions and APIServices. The names of groups have a dot, which those of
 *       resources cannot have, so that the first step tells them apart.
 *   <li>All else is none of ours: what a kube-apiserver counts for itself ({@code masterleases},
 *       {@code peerserverleases}, {@code ranges}), and resources that are served on request only.
 * </ol>
 */
final class KubernetesKeys {
  private final String root;
  private final Map<String, String> etcdPrefixes = new HashMap<>();
  private final Map<String, String> storePrefixes = new HashMap<>();

  /**
   * @param root what all keys in etcd begin with, such as {@code /registry}
   * @param builtIn all resources that are built in and stored
   */
  KubernetesKeys(String root, Collection<Resource> builtIn) {
    String trimmed = root.replaceFirst("^/+", "").replaceFirst("/+$", "");
    this.root = trimmed.isEmpty() ? "/" : "/" + trimmed + "/";
    for (Resource resource : builtIn) {
      String own = resource.groupResource().toString();
      String theirs = UpstreamKeys.prefix(resource);
      etcdPrefixes.put(own, theirs);
      storePrefixes.put(theirs, own);
    }
  }

  /** What comes before the name of a resource, such as {@code deployments.apps}, is the root. */
  static String resource(String key) {
    int end = key.indexOf('/', EtcdLayout.STORE_PREFIX.length());
    if (!key.startsWith(EtcdLayout.STORE_PREFIX) || end < 0) {
      throw new IllegalArgumentException(
          "%s is no key of an object, such as /registry/pods/default/web.".formatted(key));
    }
    return key.substring(EtcdLayout.STORE_PREFIX.length(), end);
  }

  String etcdKey(String key) {
    String resource = resource(key);
    String rest = key.substring(EtcdLayout.STORE_PREFIX.length() + resource.length());
    String known = etcdPrefixes.get(resource);
    if (known != null) {
      return root + known + rest;
    }
    int dot = resource.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException("There is no resource " + resource + ".");
    }
    return root + resource.substring(dot + 1) + "/" + resource.substring(0, dot) + rest;
  }

  Optional<String> storeKey(String etcdKey) {
    int first = etcdKey.startsWith(root) ? etcdKey.indexOf('/', root.length()) : -1;
    if (first < 0) {
      return Optional.empty();
    }
    String own = storePrefixes.get(etcdKey.substring(root.length(), first));
    int end = first;
    if (own == null) {
      end = etcdKey.indexOf('/', first + 1);
      own =
          end < 0 ? null : inTwoSteps(etcdKey.substring(root.length(), end), first - root.length());
    }
    return own == null || end + 1 == etcdKey.length()
        ? Optional.empty()
        : Optional.of(EtcdLayout.STORE_PREFIX + own + etcdKey.substring(end));
  }

  private @Nullable String inTwoSteps(String steps, int slash) {
    String known = storePrefixes.get(steps);
    if (known != null || steps.lastIndexOf('.', slash) < 0) {
      return known;
    }
    String custom = steps.substring(slash + 1) + "." + steps.substring(0, slash);
    // A definition cannot take the place of what is built in; nor can its objects.
    return etcdPrefixes.containsKey(custom) ? null : custom;
  }
}
