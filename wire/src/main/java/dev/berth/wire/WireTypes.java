package dev.berth.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All messages of the built-in types, from the table that the module {@code schemas} generates.
 * Nothing is read until the first client speaks protobuf.
 */
final class WireTypes {
  static final String JSON_SCHEMA =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private final Map<String, WireMessage> byName = new HashMap<>();

  /** Initialised when a message is first asked for. */
  private static final class BuiltIn {
    static final WireTypes TYPES = read();
  }

  private WireTypes() {}

  static WireTypes builtIn() {
    return BuiltIn.TYPES;
  }

  /** The message of objects that call themselves so, if they have one. */
  static Optional<WireMessage> of(GroupVersionKind kind) {
    Optional<String> name =
        kind.group().equals("meta.k8s.io")
            ? Optional.of(META + kind.kind())
            : Schemas.builtIn().kind(kind).map(type -> type.name());
    return name.map(known -> builtIn().byName.get(known));
  }

  WireMessage get(String name) {
    WireMessage message = byName.get(name);
    if (message == null) {
      throw new IllegalStateException("There is no message " + name);
    }
    return message;
  }

  private static WireTypes read() {
    WireTypes types = new WireTypes();
    try (InputStream in =
        WireTypes.class.getClassLoader().getResourceAsStream(Schemas.WIRE_RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + Schemas.WIRE_RESOURCE + " is missing");
      }
      types.read(new BufferedReader(new InputStreamReader(in, UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the resource " + Schemas.WIRE_RESOURCE + " cannot be read", e);
    }
    types.byName.values().forEach(message -> message.link(types));
    return types;
  }

  private void read(BufferedReader lines) throws IOException {
    String name = "";
    List<WireField> fields = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("\t")) {
        String[] cells = line.split("\t", -1);
        fields.add(WireField.parse(Integer.parseInt(cells[1]), cells[2], cells[3]));
      } else {
        add(name, fields);
        name = line;
        fields.clear();
      }
    }
    add(name, fields);
  }

  /** Before the first name there is no message. */
  private void add(String name, List<WireField> fields) {
    if (!name.isEmpty()) {
      byName.put(name, new WireMessage(name, fields));
    }
  }
}
