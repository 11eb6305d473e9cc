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
 * webhooks are told a kubeconfig, whose users say how the server proves to webhooks who it is;
 * PodSecurity is told what holds without labels, and for whom nothing does.
 *
 * @param kubeconfigs by the plugins' names
 */
public record AdmissionConfiguration(
    Map<String, Path> kubeconfigs, PodSecuritySettings podSecurity) {
  private static final List<String> VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");
  private static final List<String> WEBHOOK_VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1");
  private static final String WEBHOOK_KIND = "WebhookAdmissionConfiguration";
  private static final String KUBECONFIG = "kubeConfigFile";
  private static final Set<String> WEBHOOKS =
      Set.of("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook");
  private static final String POD_SECURITY = "PodSecurity";

  /** Nothing said. */
  public static final AdmissionConfiguration NONE = new AdmissionConfiguration(Map.of());

  public AdmissionConfiguration {
    kubeconfigs = Map.copyOf(kubeconfigs);
  }

  /** Of webhooks alone. */
  public AdmissionConfiguration(Map<String, Path> kubeconfigs) {
    this(kubeconfigs, PodSecuritySettings.NONE);
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
          PodSecuritySettings podSecurity = PodSecuritySettings.NONE;
          for (ConfigFields plugin : fields.objects("plugins")) {
            if (name(plugin).equals(POD_SECURITY)) {
              podSecurity = podSecurity(plugin, file);
            } else {
              plugin(plugin, file).ifPresent(path -> kubeconfigs.put(name(plugin), path));
            }
          }
          return new AdmissionConfiguration(kubeconfigs, podSecurity);
        });
  }

  private static String name(ConfigFields plugin) {
    return plugin.text("name", "");
  }

  private static PodSecuritySettings podSecurity(ConfigFields plugin, Path file) {
    plugin.onlyHas(Set.of("name", "path", "configuration"));
    if (plugin.has("configuration")) {
      ConfigFields inner = plugin.object("configuration");
      inner.expect("apiVersion", PodSecuritySettings.VERSIONS);
      inner.expect("kind", List.of(PodSecuritySettings.KIND));
      return PodSecuritySettings.read(inner);
    }
    String path = plugin.text("path", "");
    return path.isEmpty()
        ? PodSecuritySettings.NONE
        : ConfigFile.read(
            file.toAbsolutePath().resolveSibling(path),
            PodSecuritySettings.VERSIONS,
            PodSecuritySettings.KIND,
            PodSecuritySettings::read);
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
                plugin.path("name"),
                name,
                List.of("MutatingAdmissionWebhook", POD_SECURITY, "ValidatingAdmissionWebhook")));
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
