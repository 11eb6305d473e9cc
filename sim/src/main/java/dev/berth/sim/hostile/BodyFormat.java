package dev.berth.sim.hostile;

/** The formats in which objects are sent. */
enum BodyFormat {
  JSON("application/json"),
  YAML("application/yaml"),
  PROTOBUF("application/vnd.kubernetes.protobuf");

  private final String mediaType;

  BodyFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  String mediaType() {
    return mediaType;
  }
}
