package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is wrong with where a volume's storage is, for each kind of storage. */
public final class VolumeSourceValidation {
  private static final List<String> HOST_PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");
  private static final List<String> CACHING = List.of("None", "ReadOnly", "ReadWrite");
  private static final List<String> DISKS = List.of("Dedicated", "Managed", "Shared");
  private static final List<String> MANAGED_URI =
      List.of(
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}");
  private static final List<String> BLOB_URI =
      List.of("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
  private static final String BYTE = "must be between 0 and 255, inclusive";
  private static final String PARTITION = "must be between 1 and 255, inclusive";
  private static final String FORMAT = "must be valid format";
  private static final int LONGEST_PORTAL = 64;
  private static final String REGISTRY =
      "must be a host:port pair or multiple pairs separated by commas";
  private static final int LONGEST_TENANT = 64;
  private static final int LONGEST_DRIVER = 63;

  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}.-]+)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("^eui.\\p{Alnum}{16}$");
  private static final Pattern NAA = Pattern.compile("^naa.\\p{Alnum}{32}$");

  private final JsonObject source;
  private final FieldPath at;
  private final FieldErrorList problems;

  /** The name of the persistent volume that it is the source of; null in a pod. */
  private final @Nullable String volume;

  private VolumeSourceValidation(
      JsonObject source, FieldPath at, FieldErrorList problems, @Nullable String volume) {
    this.source = source;
    this.at = at;
    this.problems = problems;
    this.volume = volume;
  }

  static void validate(String kind, JsonObject source, FieldPath at, FieldErrorList problems) {
    new VolumeSourceValidation(source, at, problems, null).validate(kind);
  }

  /** The same for what pods and persistent volumes have in common. */
  public static void ofVolume(
      String volume, String kind, JsonObject source, FieldPath at, FieldErrorList problems) {
    new VolumeSourceValidation(source, at, problems, volume).validate(kind);
  }

  private void validate(String kind) {
    switch (kind) {
      case "hostPath" -> {
        if (present("path")) {
          problems.notBackwards(source.text("path", ""), at.field("path"));
          problems.oneOf(at.field("type"), source.text("type", ""), HOST_PATH_TYPES);
        }
      }
      case "gitRepo" -> {
        present("repository");
        problems.descending(source.text("directory", ""), at.field("directory"));
      }
      case "gcePersistentDisk" ->
          // Upstream's messages call it otherwise than the API does.
          disk("pdName", FieldPath.parse(at.toString().replaceFirst("gcePers", "pers")));
      case "awsElasticBlockStore" -> disk("volumeID", at);
      case "nfs" -> {
        present("server");
        present("path");
        if (!source.text("path", "").startsWith("/")) {
          problems.invalid(at.field("path"), source.text("path", ""), "must be an absolute path");
        }
      }
      case "iscsi" -> iscsi();
      case "glusterfs" -> {
        present("endpoints");
        present("path");
      }
      case "flocker" -> flocker();
      case "persistentVolumeClaim" -> present("claimName");
      case "rbd" -> {
        notEmpty("monitors");
        present("image");
      }
      case "cinder" -> {
        present("volumeID");
        secretName();
      }
      case "cephfs" -> notEmpty("monitors");
      case "quobyte" -> quobyte();
      case "fc" -> fibreChannel();
      case "flexVolume" -> flexVolume();
      case "azureFile" -> {
        present("secretName");
        present("shareName");
      }
      case "vsphereVolume" -> present("volumePath");
      case "photonPersistentDisk" -> present("pdID");
      case "portworxVolume" -> present("volumeID");
      case "azureDisk" -> azureDisk();
      case "storageos" -> {
        if (present("volumeName")) {
          label("volumeName");
        }
        label("volumeNamespace");
        secretName();
      }
      case "scaleIO" -> {
        present("gateway");
        present("system");
        present("volumeName");
      }
      default -> csi();
    }
  }

  private boolean present(String field) {
    return problems.present(source, field, at);
  }

  private void notEmpty(String list) {
    if (source.array(list).isEmpty()) {
      problems.required(at.field(list), "");
    }
  }

  private void label(String field) {
    String value = source.text(field, "");
    if (!value.isEmpty()) {
      problems.invalid(at.field(field), value, NameRules.dns1123Label(value));
    }
  }

  private void secretName() {
    if (source.has("secretRef")) {
      problems.present(source.object("secretRef"), "name", at.field("secretRef"));
    }
  }

  private void disk(String name, FieldPath path) {
    problems.present(source, name, path);
    long partition = source.integer("partition").orElse(0);
    if (partition < 0 || partition > 255) {
      problems.invalid(path.field("partition"), partition, PARTITION);
    }
  }

  private void iscsi() {
    present("targetPortal");
    String portal = source.text("targetPortal", "");
    String named = volume + ":" + portal;
    if (volume != null && source.has("initiatorName") && named.length() > LONGEST_PORTAL) {
      problems.invalid(
          at.field("targetportal"),
          portal,
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
              + " iscsi.initiatorName is specified.");
    }
    if (present("iqn")) {
      String problem = initiator(source.text("iqn", ""));
      if (!problem.isEmpty()) {
        problems.invalid(at.field("iqn"), source.text("iqn", ""), problem);
      }
    }
    long unit = source.integer("lun").orElse(0);
    if (unit < 0 || unit > 255) {
      problems.invalid(at.field("lun"), unit, BYTE);
    }
    boolean authenticates =
        source.flag("chapAuthDiscovery", false) || source.flag("chapAuthSession", false);
    if (authenticates && !source.has("secretRef")) {
      problems.required(at.field("secretRef"), "");
    }
    if (volume != null) {
      secretName();
    }
    String name = source.text("initiatorName");
    if (name != null && !initiator(name).isEmpty()) {
      problems.invalid(at.field("initiatorname"), name, initiator(name));
    }
  }

  private String initiator(String name) {
    String kind = name.length() < 3 ? "" : name.substring(0, 3);
    return switch (kind) {
      case "iqn" -> IQN.matcher(name).find() ? "" : FORMAT;
      case "eui" -> EUI.matcher(name).find() ? "" : FORMAT;
      case "naa" -> NAA.matcher(name).find() ? "" : FORMAT;
      default -> volume == null ? FORMAT + " starting with iqn, eui, or naa" : FORMAT;
    };
  }

  private void flocker() {
    String name = source.text("datasetName", "");
    String uuid = source.text("datasetUUID", "");
    if (name.isEmpty() && uuid.isEmpty()) {
      problems.required(at, "one of datasetName and datasetUUID is required");
    }
    if (!name.isEmpty() && !uuid.isEmpty()) {
      problems.invalid(
          at, "resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (name.contains("/")) {
      problems.invalid(at.field("datasetName"), name, "must not contain '/'");
    }
  }

  private void quobyte() {
    String registry = source.text("registry", "");
    if (registry.isEmpty()) {
      problems.required(at.field("registry"), REGISTRY);
    } else if (source.text("tenant", "").length() > LONGEST_TENANT) {
      problems.required(
          at.field("tenant"), "must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (String pair : registry.split(",", -1)) {
        if (!pair.matches("[^:\\[\\]]*:[^:\\[\\]]*|\\[[^\\[\\]]*]:[^:\\[\\]]*")) {
          problems.invalid(at.field("registry"), registry, REGISTRY);
        }
      }
    }
    present("volume");
  }

  private void fibreChannel() {
    boolean names = !source.array("targetWWNs").isEmpty();
    boolean ids = !source.array("wwids").isEmpty();
    if (!names && !ids) {
      problems.required(
          at.field("targetWWNs"), "must specify either targetWWNs or wwids, but not both");
    }
    if (names && ids) {
      problems.invalid(
          at.field("targetWWNs"),
          source.array("targetWWNs"),
          "targetWWNs and wwids can not be specified simultaneously");
    }
    if (names && !source.has("lun")) {
      problems.required(at.field("lun"), "lun is required if targetWWNs is specified");
    } else if (names) {
      long unit = source.integer("lun").orElse(0);
      if (unit < 0 || unit > 255) {
        problems.invalid(at.field("lun"), unit, BYTE);
      }
    }
  }

  private void flexVolume() {
    present("driver");
    for (String option : source.object("options").names()) {
      String domain = "." + option.replaceFirst("/.*", "").toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        problems.invalid(
            at.field("options").key(option),
            option,
            "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private void azureDisk() {
    present("diskName");
    present("diskURI");
    String uri = source.text("diskURI", "");
    String caching = source.text("cachingMode");
    if (caching != null) {
      problems.oneOf(at.field("cachingMode"), caching, CACHING);
    }
    String kind = source.text("kind");
    if (kind == null) {
      return;
    }
    problems.oneOf(at.field("kind"), kind, DISKS);
    boolean managed = kind.equals("Managed");
    if (!uri.startsWith(managed ? "/subscriptions/" : "https://")) {
      problems.addAll(
          List.of(
              FieldError.notSupported(
                  at.field("diskURI").toString(), uri, managed ? MANAGED_URI : BLOB_URI)));
    }
  }

  private void csi() {
    String driver = source.text("driver", "");
    if (present("driver")) {
      if (driver.length() > LONGEST_DRIVER) {
        problems.tooLong(at.field("driver"), LONGEST_DRIVER);
      }
      problems.invalid(
          at.field("driver"), driver, NameRules.dns1123Subdomain(driver.toLowerCase(Locale.ROOT)));
    }
    if (source.has("nodePublishSecretRef")) {
      JsonObject secret = source.object("nodePublishSecretRef");
      if (problems.present(secret, "name", at.field("nodePublishSecretRef"))) {
        String name = secret.text("name", "");
        problems.invalid(at.field("name"), name, NameRules.dns1123Subdomain(name));
      }
    }
  }
}
