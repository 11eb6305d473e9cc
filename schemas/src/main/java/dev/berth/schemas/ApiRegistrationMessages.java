package dev.berth.schemas;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;

/** The messages of {@code apiregistration.k8s.io/v1}, which the artifact does not carry. */
final class ApiRegistrationMessages {
  private static final String PACKAGE = "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1";
  private static final String META = ".k8s.io.apimachinery.pkg.apis.meta.v1.";
  private static final String OWN = "." + PACKAGE + ".";

  private ApiRegistrationMessages() {}

  static FileDescriptor file() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("apiregistration.proto")
            .setPackage(PACKAGE)
            .addDependency(Meta.getDescriptor().getName())
            .addMessageType(
                type("APIService")
                    .addField(message("metadata", 1, META + "ObjectMeta"))
                    .addField(message("spec", 2, OWN + "APIServiceSpec"))
                    .addField(message("status", 3, OWN + "APIServiceStatus")))
            .addMessageType(
                type("APIServiceList")
                    .addField(message("metadata", 1, META + "ListMeta"))
                    .addField(repeated("items", 2, OWN + "APIService")))
            .addMessageType(
                type("APIServiceSpec")
                    .addField(message("service", 1, OWN + "ServiceReference"))
                    .addField(field("group", 2, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("version", 3, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(
                        field("insecureSkipTLSVerify", 4, FieldDescriptorProto.Type.TYPE_BOOL))
                    .addField(field("caBundle", 5, FieldDescriptorProto.Type.TYPE_BYTES))
                    .addField(
                        field("groupPriorityMinimum", 7, FieldDescriptorProto.Type.TYPE_INT32))
                    .addField(field("versionPriority", 8, FieldDescriptorProto.Type.TYPE_INT32)))
            .addMessageType(
                type("APIServiceStatus")
                    .addField(repeated("conditions", 1, OWN + "APIServiceCondition")))
            .addMessageType(
                type("APIServiceCondition")
                    .addField(field("type", 1, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("status", 2, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(message("lastTransitionTime", 3, META + "Time"))
                    .addField(field("reason", 4, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("message", 5, FieldDescriptorProto.Type.TYPE_STRING)))
            .addMessageType(
                type("ServiceReference")
                    .addField(field("namespace", 1, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("name", 2, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("port", 3, FieldDescriptorProto.Type.TYPE_INT32)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {Meta.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DescriptorProto.Builder type(String name) {
    return DescriptorProto.newBuilder().setName(name);
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .setType(type);
  }

  private static FieldDescriptorProto.Builder message(String name, int number, String type) {
    return field(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
  }

  private static FieldDescriptorProto.Builder repeated(String name, int number, String type) {
    return message(name, number, type).setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }
}
