package dev.berth.schemas;

import com.google.gson.annotations.SerializedName;
import io.swagger.annotations.ApiModel;
import io.swagger.annotations.ApiModelProperty;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a model class says of its fields. */
final class ModelFields {
  private ModelFields() {}

  /** A field's name in JSON, its Java type, and what its getter's annotation says. */
  record ModelField(String name, Type type, boolean required, String description) {}

  /** The fields in alphabetical order. */
  static List<ModelField> of(Class<?> model) {
    Map<String, ApiModelProperty> getters = new TreeMap<>();
    for (Method method : model.getDeclaredMethods()) {
      ApiModelProperty property = method.getAnnotation(ApiModelProperty.class);
      if (property != null) {
        getters.put(letters(method.getName().replaceFirst("get", "")), property);
      }
    }
    Map<String, ModelField> fields = new TreeMap<>();
    for (Field field : model.getDeclaredFields()) {
      SerializedName name = field.getAnnotation(SerializedName.class);
      if (name != null) {
        ApiModelProperty property = getters.get(letters(field.getName()));
        if (property == null) {
          throw new IllegalStateException("no annotated getter for " + field);
        }
        fields.put(
            name.value(),
            new ModelField(
                name.value(), field.getGenericType(), property.required(), property.value()));
      }
    }
    return List.copyOf(fields.values());
  }

  /** What the names of a field and its getter share: {@code $ref} and {@code get$Ref}. */
  private static String letters(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }

  static String description(Class<?> model) {
    ApiModel annotation = model.getAnnotation(ApiModel.class);
    return annotation == null ? "" : annotation.description();
  }

  /** The models that occur in the fields of a model. */
  static Set<Class<?>> references(Class<?> model) {
    Set<Class<?>> references = new TreeSet<>(Comparator.comparing(Class::getName));
    for (ModelField field : of(model)) {
      for (Class<?> type : classesIn(field.type())) {
        if (type.getPackage() == model.getPackage()) {
          references.add(type);
        }
      }
    }
    return references;
  }

  private static List<Class<?>> classesIn(Type type) {
    return switch (type) {
      case Class<?> plain -> List.of(plain);
      case ParameterizedType generic -> {
        List<Class<?>> classes = new ArrayList<>();
        for (Type argument : generic.getActualTypeArguments()) {
          classes.addAll(classesIn(argument));
        }
        yield classes;
      }
      default -> throw new IllegalStateException("a type of a new sort: " + type);
    };
  }
}
