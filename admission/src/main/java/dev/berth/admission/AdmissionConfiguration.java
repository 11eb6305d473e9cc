package dev.berth.admission;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the file of {@code --admission-control-config-file} says of single plugins. Those that ask
 * webhooks are told a kubeconfig, whose users say how the server proves to webhooks who it is.
 *
 * @param kubeconfigs by the plugins' names
 */
public record AdmissionConfiguration(Map<String, Path> kubeconfigs) {
  private static final List<String> VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");
  private static final List<String> WEBHOOK_VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1");
  private static final String WEBHOOK_KIND = "WebhookAdmissionConfiguration";
  private static final String KUBECONFIG = "kubeConfigFile";
  private static final Set<String> WEBHOOKS =
      Set.of("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook");

  /** Nothing said. */
  public static final AdmissionConfiguration NONE = new AdmissionConfiguration(Map.of());

  public AdmissionConfiguration {
    kubeconfigs = Map.copyOf(kubeconfigs);
  }

  /** Reads an AdmissionConfiguration; paths in it are relative to where it is. */
  public static AdmissionConfiguration read(Path file) {
    return ConfigFile.read(
        file,
        VERSIONS,
        "AdmissionConfiguration",
        fields -> {
          fields.onlyHas(Set.of("apiVersion", "kind", "plugins"));
          Map<String, Path> kubeconfigs = new TreeMap<>();
          for (ConfigFields plugin : fields.objects("plugins")) {
            plugin(plugin, file).ifPresent(path -> kubeconfigs.put(name(plugin), path));
          }
          return new AdmissionConfiguration(kubeconfigs);
        });
  }

  private static String name(ConfigFields plugin) {
    return plugin.text("name", "");
  }

  private static Optional<Path> plugin(ConfigFields plugin, Path file) {
    plugin.onlyHas(Set.of("name", "path", "configuration"));
    String name = name(plugin);
    if (name.isEmpty()) {
      plugin.required("name", "");
      return Optional.empty();
    }
    boolean says = plugin.has("configuration") || !plugin.text("path", "").isEmpty();
    if (!WEBHOOKS.contains(name)) {
      if (says) {
        plugin.error(
            FieldError.notSupported(
                plugin.path("name"), name, WEBHOOKS.stream().sorted().toList()));
      }
      return Optional.empty();
    }
    if (plugin.has("configuration")) {
      ConfigFields inner = plugin.object("configuration");
      inner.expect("apiVersion", WEBHOOK_VERSIONS);
      inner.expect("kind", List.of(WEBHOOK_KIND));
      return kubeconfig(inner);
    }
    String path = plugin.text("path", "");
    return path.isEmpty()
        ? Optional.empty()
        : ConfigFile.read(
            file.toAbsolutePath().resolveSibling(path),
            WEBHOOK_VERSIONS,
            WEBHOOK_KIND,
            AdmissionConfiguration::kubeconfig);
  }

  private static Optional<Path> kubeconfig(ConfigFields fields) {
    fields.onlyHas(Set.of("apiVersion", "kind", KUBECONFIG));
    String path = fields.text(KUBECONFIG, "");
    if (path.isEmpty()) {
      return Optional.empty();
    }
    if (!Path.of(path).isAbsolute()) {
      fields.invalid(KUBECONFIG, path, "must be an absolute file path");
      return Optional.empty();
    }
    return Optional.of(Path.of(path));
  }
}
