package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.function.UnaryOperator;

/**
 * How an object looks in another version than that of the request, in which somebody owns fields.
 *
 * @param ignored fields that the request never changes, in this version
 * @param convert from the form of the request
 */
public record OwnedForm(Structure structure, FieldSet ignored, UnaryOperator<JsonObject> convert) {}
