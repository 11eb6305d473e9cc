package dev.berth.admission;

import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the file of {@code --admission-control-config-file} says of single plugins. Those that ask
 * webhooks are told a kubeconfig, whose users say how the server proves to webhooks who it is;
 * PodSecurity is told what holds without labels, and for whom nothing does; PodNodeSelector and
 * PodTolerationRestriction, what holds where a namespace says nothing; ResourceQuota, what may be
 * used only where a quota limits it.
 *
 * @param kubeconfigs by the plugins' names
 */
public record AdmissionConfiguration(
    Map<String, Path> kubeconfigs,
    PodSecuritySettings podSecurity,
    PodNodeSelectorSettings nodeSelectors,
    PodTolerationSettings tolerations,
    ResourceQuotaSettings quotas) {
  private static final List<String> VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");
  private static final List<String> WEBHOOK_VERSIONS =
      List.of("apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1");
  private static final String WEBHOOK_KIND = "WebhookAdmissionConfiguration";
  private static final String KUBECONFIG = "kubeConfigFile";
  private static final String CONFIGURATION = "configuration";
  private static final List<String> PLUGINS =
      List.of(
          "MutatingAdmissionWebhook",
          "PodNodeSelector",
          "PodSecurity",
          "PodTolerationRestriction",
          "ResourceQuota",
          "ValidatingAdmissionWebhook");

  /** Nothing said. */
  public static final AdmissionConfiguration NONE = new AdmissionConfiguration(Map.of());

  public AdmissionConfiguration {
    kubeconfigs = Map.copyOf(kubeconfigs);
  }

  /** Of webhooks alone. */
  public AdmissionConfiguration(Map<String, Path> kubeconfigs) {
    this(
        kubeconfigs,
        PodSecuritySettings.NONE,
        PodNodeSelectorSettings.NONE,
        PodTolerationSettings.NONE,
        ResourceQuotaSettings.NONE);
  }

  private AdmissionConfiguration withKubeconfig(String plugin, Path file) {
    Map<String, Path> all = new TreeMap<>(kubeconfigs);
    all.put(plugin, file);
    return new AdmissionConfiguration(all, podSecurity, nodeSelectors, tolerations, quotas);
  }

  AdmissionConfiguration with(PodSecuritySettings other) {
    return new AdmissionConfiguration(kubeconfigs, other, nodeSelectors, tolerations, quotas);
  }

  AdmissionConfiguration with(PodNodeSelectorSettings other) {
    return new AdmissionConfiguration(kubeconfigs, podSecurity, other, tolerations, quotas);
  }

  AdmissionConfiguration with(PodTolerationSettings other) {
    return new AdmissionConfiguration(kubeconfigs, podSecurity, nodeSelectors, other, quotas);
  }

  AdmissionConfiguration with(ResourceQuotaSettings other) {
    return new AdmissionConfiguration(kubeconfigs, podSecurity, nodeSelectors, tolerations, other);
  }

  /** Reads an AdmissionConfiguration; paths in it are relative to where it is. */
  public static AdmissionConfiguration read(Path file) {
    return ConfigFile.read(
        file,
        VERSIONS,
        "AdmissionConfiguration",
        fields -> {
          fields.onlyHas(Set.of("apiVersion", "kind", "plugins"));
          AdmissionConfiguration all = NONE;
          for (ConfigFields plugin : fields.objects("plugins")) {
            all = all.with(plugin, file);
          }
          return all;
        });
  }

  private AdmissionConfiguration with(ConfigFields plugin, Path file) {
    plugin.onlyHas(Set.of("name", "path", CONFIGURATION));
    String name = plugin.text("name", "");
    return switch (name) {
      case "" -> {
        plugin.required("name", "");
        yield this;
      }
      case "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook" ->
          read(
                  plugin,
                  file,
                  WEBHOOK_VERSIONS,
                  _ -> WEBHOOK_KIND,
                  AdmissionConfiguration::kubeconfig)
              .flatMap(found -> found)
              .map(kubeconfig -> withKubeconfig(name, kubeconfig))
              .orElse(this);
      case "PodSecurity" ->
          read(
                  plugin,
                  file,
                  PodSecuritySettings.VERSIONS,
                  _ -> PodSecuritySettings.KIND,
                  PodSecuritySettings::read)
              .map(this::with)
              .orElse(this);
      case "PodNodeSelector" -> nodeSelectors(plugin, file).map(this::with).orElse(this);
      case "PodTolerationRestriction" ->
          read(
                  plugin,
                  file,
                  PodTolerationSettings.VERSIONS,
                  _ -> PodTolerationSettings.KIND,
                  PodTolerationSettings::read)
              .map(this::with)
              .orElse(this);
      case "ResourceQuota" ->
          read(
                  plugin,
                  file,
                  ResourceQuotaSettings.VERSIONS,
                  ResourceQuotaSettings::kind,
                  ResourceQuotaSettings::read)
              .map(this::with)
              .orElse(this);
      default -> {
        if (plugin.has(CONFIGURATION) || other(plugin, file).isPresent()) {
          plugin.error(FieldError.notSupported(plugin.path("name"), name, PLUGINS));
        }
        yield this;
      }
    };
  }

  /** What a plugin is told, here or in a file of its own; empty if it is told nothing. */
  private static <T> Optional<T> read(
      ConfigFields plugin,
      Path file,
      List<String> versions,
      Function<String, String> kind,
      Function<ConfigFields, T> reader) {
    if (plugin.has(CONFIGURATION)) {
      ConfigFields inner = plugin.object(CONFIGURATION);
      inner.expect("apiVersion", versions);
      inner.expect("kind", List.of(kind.apply(inner.text("apiVersion", ""))));
      return Optional.of(reader.apply(inner));
    }
    return other(plugin, file)
        .map(path -> ConfigFile.read(path, versions, kind.apply(version(path)), reader));
  }

  private static Optional<Path> other(ConfigFields plugin, Path file) {
    String path = plugin.text("path", "");
    return path.isEmpty()
        ? Optional.empty()
        : Optional.of(file.toAbsolutePath().resolveSibling(path));
  }

  private static String version(Path file) {
    return ConfigFile.tree(file, _ -> {}).text("apiVersion", "");
  }

  private static Optional<PodNodeSelectorSettings> nodeSelectors(ConfigFields plugin, Path file) {
    if (plugin.has(CONFIGURATION)) {
      return Optional.of(PodNodeSelectorSettings.read(plugin.object(CONFIGURATION)));
    }
    return other(plugin, file).map(AdmissionConfiguration::nodeSelectors);
  }

  private static PodNodeSelectorSettings nodeSelectors(Path file) {
    List<FieldError> errors = new ArrayList<>();
    ConfigFields fields =
        new ConfigFields(
            ConfigFile.tree(
                file,
                twice -> {
                  throw new ConfigException(file + ": " + twice);
                }),
            FieldPath.ROOT,
            errors);
    PodNodeSelectorSettings settings = PodNodeSelectorSettings.read(fields);
    if (!errors.isEmpty()) {
      throw ConfigFile.invalid(file, "configuration of PodNodeSelector", errors);
    }
    return settings;
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
