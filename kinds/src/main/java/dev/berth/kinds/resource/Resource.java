package dev.berth.kinds.resource;

import dev.berth.kinds.column.Column;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A collection of objects of one kind, as it is served: its names, what can be done with it, how it
 * is printed, and the rules for its objects. Declared once, in a screenful, and never changed.
 */
public final class Resource {
  /** What can be done with an ordinary resource, in the order in which discovery lists it. */
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final List<String> VERBS_ONE_BY_ONE =
      VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList();

  private final Builder declared;
  private final String plural;
  private final GroupResource groupResource;
  private final String text;
  private final List<String> shortNames;
  private final List<String> categories;
  private final List<Subresource> subresources;
  private final boolean hasStatus;
  private final List<Column> columns;
  private final Map<String, Function<JsonObject, String>> selectable;
  private final List<String> generationFields;

  private Resource(Builder declared) {
    this.declared = declared;
    this.plural = declared.plural;
    this.groupResource = new GroupResource(declared.kind.group(), plural);
    this.text = groupResource.toString();
    this.shortNames = List.copyOf(declared.shortNames);
    this.categories = List.copyOf(declared.categories);
    this.subresources = List.copyOf(declared.subresources);
    this.hasStatus = subresource(Subresource.STATUS).isPresent();
    this.columns = List.copyOf(declared.columns);
    this.selectable = Map.copyOf(declared.selectable);
    this.generationFields = UpdateFacts.counted(declared.kind.groupKind());
  }

  /** Begins the declaration of a resource whose objects are in namespaces. */
  public static Builder namespaced(String group, String version, String kind) {
    return new Builder(new GroupVersionKind(group, version, kind), true);
  }

  /** Begins the declaration of a resource whose objects are in no namespace. */
  public static Builder clusterWide(String group, String version, String kind) {
    return new Builder(new GroupVersionKind(group, version, kind), false);
  }

  public GroupVersionKind kind() {
    return declared.kind;
  }

  public GroupKind groupKind() {
    return declared.kind.groupKind();
  }

  public GroupResource groupResource() {
    return groupResource;
  }

  /** What messages about writes call it: the resource that clients wrote to. */
  public GroupResource shownResource() {
    return declared.shownAs == null ? groupResource() : declared.shownAs;
  }

  public String plural() {
    return plural;
  }

  public String singular() {
    return declared.custom == null
        ? declared.kind.kind().toLowerCase(Locale.ROOT)
        : declared.custom.singular();
  }

  /** What a list of its objects calls itself. */
  public String listKind() {
    return declared.custom == null ? declared.kind.kind() + "List" : declared.custom.listKind();
  }

  /** What only resources have that somebody defined; empty for one that is built in. */
  public Optional<CustomKind> custom() {
    return Optional.ofNullable(declared.custom);
  }

  /** An object in this version, from what is stored. */
  public JsonObject read(JsonObject stored) {
    return declared.custom == null ? stored : declared.custom.read(stored);
  }

  /** An object as it is to be stored. */
  public JsonObject write(JsonObject object) {
    return declared.custom == null ? object : declared.custom.write(object);
  }

  /** An object of this resource in the form of another one that has the same objects. */
  @SuppressWarnings("ReferenceEquality") // Resources are declared once.
  public JsonObject converted(JsonObject object, Resource other) {
    if (this == other || object.isEmpty()) {
      return object;
    }
    StoredAs form = declared.storedAs;
    JsonObject stored = form == null ? write(object) : form.store().apply(object);
    return other.read(other.served(stored));
  }

  /** Whether finalizers may have names without a domain, as in all kinds that came later. */
  public boolean takesAnyFinalizer() {
    return declared.anyFinalizers;
  }

  public boolean isNamespaced() {
    return declared.namespaced;
  }

  public List<String> shortNames() {
    return shortNames;
  }

  public List<String> categories() {
    return categories;
  }

  public List<String> verbs() {
    if (declared.custom != null) {
      return declared.custom.verbs();
    }
    if (declared.remoteVerbs != null) {
      return declared.remoteVerbs;
    }
    if (isStored()) {
      return UpdateFacts.deletesCollections(groupKind()) ? VERBS : VERBS_ONE_BY_ONE;
    }
    return declared.computed ? List.of("get", "list") : List.of("create");
  }

  /** Whether its objects are kept; where they are not, creating one asks for an answer. */
  public boolean isStored() {
    return declared.stored;
  }

  public List<Subresource> subresources() {
    return subresources;
  }

  public Optional<Subresource> subresource(String name) {
    for (Subresource subresource : subresources) {
      if (subresource.name().equals(name)) {
        return Optional.of(subresource);
      }
    }
    return Optional.empty();
  }

  /** Whether the status is changed through a path of its own, and only there. */
  public boolean hasStatus() {
    return hasStatus;
  }

  /** Whether who creates an object may set its status. */
  public boolean keepsStatusOnCreate() {
    return declared.keepsStatusOnCreate;
  }

  /** Whether changes are counted: those of the specification, mostly. */
  public boolean countsGeneration() {
    return declared.countsGeneration || UpdateFacts.counts(groupKind());
  }

  /** Whether a new object is of the first generation; otherwise its first change makes it so. */
  public boolean beginsWithGeneration() {
    return countsGeneration() && !UpdateFacts.countsFromZero(groupKind());
  }

  /**
   * Whether two states of an object are of different generations.
   *
   * @param subresource through which it was changed; empty if through none
   */
  public boolean isNewGeneration(JsonObject object, JsonObject old, String subresource) {
    // A pod that is bound gets what it asks for.
    if (subresource.equals(Subresource.BINDING)) {
      return false;
    }
    for (String field : generationFields) {
      if (!Objects.equals(object.get(field), old.get(field))) {
        return true;
      }
    }
    GroupKind kind = groupKind();
    boolean annotations = UpdateFacts.countsAnnotations(kind) && subresource.isEmpty();
    return (annotations && metadataDiffers("annotations", object, old))
        || (UpdateFacts.countsLabels(kind) && metadataDiffers("labels", object, old));
  }

  private static boolean metadataDiffers(String field, JsonObject object, JsonObject old) {
    return !object.object("metadata").object(field).equals(old.object("metadata").object(field));
  }

  /** Whether an update must say which resourceVersion it replaces. */
  public boolean insistsOnRevision() {
    return declared.insistsOnRevision || UpdateFacts.insistsOnRevision(groupKind());
  }

  /** Whether replacing an object that is not there creates it. */
  public boolean createsOnUpdate() {
    return declared.createsOnUpdate;
  }

  /** Whether an object without a name gets a UID for one; mostly it is refused. */
  public boolean namesUnnamed() {
    return declared.namesUnnamed;
  }

  /** Whether who deletes an object is shown it, and not only told of success. */
  public boolean showsDeleted() {
    return declared.showsDeleted || UpdateFacts.showsDeleted(groupKind());
  }

  /**
   * Whether who deletes an object, and does not say what is to become of what it owns, leaves that
   * without an owner; mostly it goes.
   */
  public boolean orphansByDefault() {
    return declared.orphansByDefault;
  }

  /** The form in which the objects are stored; empty if it is this resource's own. */
  public Optional<StoredAs> storedAs() {
    return Optional.ofNullable(declared.storedAs);
  }

  /** The resource whose objects are stored: mostly this one. */
  public Resource stored() {
    if (declared.custom != null) {
      return declared.custom.storage().orElse(this);
    }
    return declared.storedAs == null ? this : declared.storedAs.resource();
  }

  /** An object as it is served, from what is stored. */
  public JsonObject served(JsonObject stored) {
    return declared.storedAs == null ? stored : declared.storedAs.serve().apply(stored);
  }

  /**
   * Objects that are another resource's, in another form.
   *
   * @param written the other resource with the rules for what is written here
   * @param store from the form that is served here to that of the other resource
   * @param serve and back
   */
  public record StoredAs(
      Resource resource,
      Resource written,
      UnaryOperator<JsonObject> store,
      UnaryOperator<JsonObject> serve) {

    /** Of objects that follow the same rules wherever they are written. */
    public StoredAs(
        Resource resource, UnaryOperator<JsonObject> store, UnaryOperator<JsonObject> serve) {
      this(resource, resource, store, serve);
    }

    /** An object as it is served once it is stored, with defaults and with what follows from it. */
    public JsonObject roundTrip(JsonObject served) {
      return serve.apply(written.rules().defaults(store.apply(served)));
    }
  }

  public ResourceRules rules() {
    return declared.rules;
  }

  /** What writers of its objects are told. */
  public ObjectWarnings warnings() {
    return declared.warnings;
  }

  /** What everybody is told who uses it: that it is deprecated. */
  public Optional<String> deprecation() {
    return declared.custom == null
        ? Optional.ofNullable(declared.deprecation)
        : declared.custom.warning();
  }

  /** What is wrong with a name. */
  public List<String> nameProblems(String name) {
    return declared.nameRule.apply(name);
  }

  public List<Column> columns() {
    return columns;
  }

  /** The value of a field that can be selected by; empty if the field cannot. */
  public Optional<String> selectableField(String field, JsonObject object) {
    Function<JsonObject, String> read = selectable.get(field);
    return read == null ? Optional.empty() : Optional.of(read.apply(object));
  }

  public boolean isSelectable(String field) {
    return selectable.containsKey(field);
  }

  /** The fields that every object can be selected by, or also those of this kind. */
  public boolean hasOwnSelectableFields() {
    return selectable.size() > 2;
  }

  @Override
  public String toString() {
    return text;
  }

  /** Collects a declaration. */
  public static final class Builder {
    private final GroupVersionKind kind;
    private final boolean namespaced;
    private final List<String> shortNames = new ArrayList<>();
    private final List<String> categories = new ArrayList<>();
    private final List<Subresource> subresources = new ArrayList<>();
    private final Map<String, Function<JsonObject, String>> selectable = new LinkedHashMap<>();
    private String plural;
    private List<Column> columns = List.of(Column.NAME, Column.AGE);
    private ResourceRules rules = ResourceRules.NONE;
    private Function<String, List<String>> nameRule = NameRules::dns1123Subdomain;
    private boolean stored = true;
    private boolean computed;
    private boolean countsGeneration;
    private boolean keepsStatusOnCreate;
    private boolean createsOnUpdate;
    private boolean showsDeleted;
    private boolean namesUnnamed;
    private boolean orphansByDefault;
    private @Nullable StoredAs storedAs;
    private @Nullable GroupResource shownAs;
    private @Nullable CustomKind custom;
    private boolean anyFinalizers;
    private boolean insistsOnRevision;
    private @Nullable List<String> remoteVerbs;
    private ObjectWarnings warnings = ObjectWarnings.NONE;
    private @Nullable String deprecation;

    private Builder(GroupVersionKind kind, boolean namespaced) {
      this.kind = kind;
      this.namespaced = namespaced;
      this.plural = kind.kind().toLowerCase(Locale.ROOT) + "s";
      selectable("metadata.name", "metadata.namespace");
    }

    /** The plural, where it is not the kind in lower case with an s. */
    public Builder plural(String name) {
      this.plural = name;
      return this;
    }

    public Builder shortNames(String... names) {
      shortNames.addAll(List.of(names));
      return this;
    }

    public Builder categories(String... names) {
      categories.addAll(List.of(names));
      return this;
    }

    public Builder columns(Column... all) {
      this.columns = List.of(all);
      return this;
    }

    public Builder rules(ResourceRules own) {
      this.rules = own;
      return this;
    }

    /** The rule for names, where it is not that of a DNS subdomain. */
    public Builder names(Function<String, List<String>> rule) {
      this.nameRule = rule;
      return this;
    }

    /** The status has a path of its own. */
    public Builder status() {
      return subresource(Subresource.STATUS, "get", "patch", "update");
    }

    /** How many there are to be is written through a path that is the same for all kinds. */
    public Builder scale() {
      return subresource(
          Subresource.SCALE,
          new GroupVersionKind("autoscaling", "v1", "Scale"),
          "get",
          "patch",
          "update");
    }

    public Builder subresource(String name, String... verbs) {
      return subresource(name, kind, verbs);
    }

    public Builder subresource(String name, GroupVersionKind takes, String... verbs) {
      subresources.add(new Subresource(name, takes, List.of(verbs)));
      return this;
    }

    /** Creating an object is a question; it comes back with the answer and is forgotten. */
    public Builder notStored() {
      this.stored = false;
      return this;
    }

    /** Another server has the objects; here, discovery shows them. */
    public Builder remote(List<String> verbs) {
      this.stored = false;
      this.remoteVerbs = List.copyOf(verbs);
      return this;
    }

    /** Objects are made when they are read, and nobody can write them. */
    public Builder computed() {
      this.stored = false;
      this.computed = true;
      return this;
    }

    /** The objects are those of another resource, shown in another form. */
    public Builder storedAs(StoredAs other) {
      this.storedAs = other;
      return this;
    }

    /** Messages about writes name this resource instead. */
    public Builder shownAs(GroupResource shown) {
      this.shownAs = shown;
      return this;
    }

    public Builder countsGeneration() {
      this.countsGeneration = true;
      return this;
    }

    public Builder keepsStatusOnCreate() {
      this.keepsStatusOnCreate = true;
      return this;
    }

    public Builder createsOnUpdate() {
      this.createsOnUpdate = true;
      return this;
    }

    public Builder namesUnnamed() {
      this.namesUnnamed = true;
      return this;
    }

    public Builder orphansByDefault() {
      this.orphansByDefault = true;
      return this;
    }

    public Builder showsDeleted() {
      this.showsDeleted = true;
      return this;
    }

    /** An update must say which resourceVersion it replaces. */
    public Builder insistsOnRevision() {
      this.insistsOnRevision = true;
      return this;
    }

    /** Fields that can be selected by; what is absent is the empty text. */
    public Builder selectable(String... fields) {
      for (String field : fields) {
        FieldPath path = FieldPath.parse(field);
        selectable.put(
            field,
            object -> {
              Object value = path.get(object);
              return value == null ? "" : value.toString();
            });
      }
      return this;
    }

    /** A field that can be selected by, read in its own way. */
    public Builder selectable(String field, Function<JsonObject, String> read) {
      selectable.put(field, read);
      return this;
    }

    /** The resource is not built in: somebody defined it. */
    public Builder custom(CustomKind defined) {
      this.custom = defined;
      return this;
    }

    public Builder anyFinalizers() {
      this.anyFinalizers = true;
      return this;
    }

    public Builder warnings(ObjectWarnings own) {
      this.warnings = own;
      return this;
    }

    /** What everybody is told who uses the resource. */
    public Builder deprecated(String text) {
      this.deprecation = text;
      return this;
    }

    public Resource build() {
      return new Resource(this);
    }
  }
}
